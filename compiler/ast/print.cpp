#include "ast/print.h"

#include <variant>

#include "ast/declaration_printer.h"

// House style: a blank line between declarations of a module, except between neighbours of one
// short kind.

namespace smec::ast {

namespace {

bool belongTogether(const Decl& a, const Decl& b) {
    const bool isShort =
        std::holds_alternative<Import>(a.node) || std::holds_alternative<ConstDecl>(a.node);
    return isShort && a.node.index() == b.node.index();
}

}  // namespace

std::string print(const Module& module) {
    std::string text;
    TextWriter out(text);
    ExpressionPrinter expressions(module, text);
    StatementPrinter statements(expressions, out);
    DeclarationPrinter declarations(expressions, statements, out);
    for (std::size_t i = 0; i < module.decls.size(); ++i) {
        if (i > 0 && !belongTogether(module.decls[i - 1], module.decls[i])) out.text("\n");
        declarations.print(module.decls[i]);
    }
    return text;
}

std::string print(const Module& module, ExprId expr) {
    std::string out;
    ExpressionPrinter(module, out).print(expr);
    return out;
}

}  // namespace smec::ast
