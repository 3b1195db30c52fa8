#include "ast/statement_printer.h"

#include <utility>
#include <variant>

#include "ast/spelling.h"
#include "source/overloaded.h"

namespace smec::ast {

void StatementPrinter::print(const Block& block) {
    out_.braced(block.statements, [&](const Stmt& stmt) {
        smec::visit([&](const auto& node) { print(node); }, stmt.node);
    });
}

void StatementPrinter::print(const VarDecl& n) {
    out_.text("var ", n.name.text);
    expressions_.printTypedInit(n.type, n.init);
    out_.text(";");
}

void StatementPrinter::print(const Assign& n) {
    expressions_.print(n.target);
    out_.text(" ");
    if (n.op) out_.text(spelling(*n.op));
    out_.text("= ");
    expressions_.print(n.value);
    out_.text(";");
}

void StatementPrinter::condition(std::string_view keyword, ExprId id) {
    out_.text(keyword);
    out_.text(" (");
    expressions_.print(id);
    out_.text(") ");
}

void StatementPrinter::print(const If& n) {
    bool first = true;
    for (const IfBranch& branch : n.branches) {
        condition(std::exchange(first, false) ? "if" : " elif", branch.condition);
        print(branch.body);
    }
    if (!n.otherwise) return;
    out_.text(" else ");
    print(*n.otherwise);
}

void StatementPrinter::print(const For& n) {
    out_.text("for ", n.variable.text, " = ");
    expressions_.print(n.from);
    out_.text(" ");
    out_.text(spelling(n.direction));
    out_.text(" ");
    expressions_.print(n.to);
    out_.text(" ");
    print(n.body);
}

void StatementPrinter::print(const While& n) {
    condition("while", n.condition);
    print(n.body);
}

void StatementPrinter::print(const CaseLabel& label) {
    expressions_.print(label.first);
    if (!label.last.valid()) return;
    out_.text(" to ");
    expressions_.print(label.last);
}

void StatementPrinter::print(const Switch& n) {
    out_.text("switch ");
    expressions_.print(n.subject);
    out_.text(" {\n");
    out_.indent();
    for (const Case& part : n.cases) {
        out_.startLine();
        out_.text("case ");
        for (std::size_t i = 0; i < part.labels.size(); ++i) {
            if (i > 0) out_.text(", ");
            print(part.labels[i]);
        }
        out_.text(" ");
        print(part.body);
        out_.text("\n");
    }
    if (n.otherwise) {
        out_.startLine();
        out_.text("default ");
        print(*n.otherwise);
        out_.text("\n");
    }
    out_.dedent();
    out_.closeBrace();
}

void StatementPrinter::print(const Break&) { out_.text("break;"); }
void StatementPrinter::print(const Continue&) { out_.text("continue;"); }

void StatementPrinter::print(const Return& n) {
    out_.text("return");
    out_.word(n.value.valid(), " ");
    if (n.value.valid()) expressions_.print(n.value);
    out_.text(";");
}

/// `out_.word(a, b, …);` leaving out what is absent.
void StatementPrinter::call(std::string_view name, std::vector<ExprId> leading,
                            const std::vector<ExprId>& rest) {
    std::erase_if(leading, [](ExprId id) { return !id.valid(); });
    leading.insert(leading.end(), rest.begin(), rest.end());
    out_.text(name);
    out_.text("(");
    expressions_.printList(leading);
    out_.text(");");
}

void StatementPrinter::print(const Trace& n) { call("trace", {n.format}, n.arguments); }

void StatementPrinter::print(const Assert& n) {
    std::vector<ExprId> leading{n.condition, n.message};
    if (n.messageFirst) std::swap(leading[0], leading[1]);
    call(n.isAssume ? "assume" : "assert", leading, n.arguments);
}

void StatementPrinter::print(const Cover& n) { call("cover", {n.condition, n.name}); }

void StatementPrinter::print(const Stop& n) {
    if (n.status.valid()) return call("stop", {n.status});
    out_.text("stop;");
}

void StatementPrinter::print(const Wait& n) {
    out_.text(n.isBarrier ? "barrier" : "wait");
    out_.word(n.count.valid(), " ");
    if (n.count.valid()) expressions_.print(n.count);
    out_.text(";");
}

void StatementPrinter::print(const WaitUntil& n) {
    out_.text("wait until (");
    expressions_.print(n.condition);
    out_.text(");");
}

}  // namespace smec::ast
