#include "ast/declaration_printer.h"

#include <variant>

#include "ast/spelling.h"
#include "source/overloaded.h"

namespace smec::ast {

void DeclarationPrinter::print(const Decl& decl) {
    out_.startLine();
    smec::visit([&](const auto& node) { print(node); }, decl.node);
    out_.text("\n");
}

void DeclarationPrinter::printAll(const std::vector<Decl>& decls) {
    out_.indent();
    for (const Decl& decl : decls)
        print(decl);
    out_.dedent();
}

void DeclarationPrinter::print(const Import& n) {
    out_.text(n.names.empty() ? "import " : "from ");
    out_.text(joined(n.path, "."));
    out_.word(!n.names.empty(), " import ");
    out_.text(joined(n.names, ", "));
    if (n.alias) out_.text(" as ", n.alias->text);
    out_.text(";");
}

void DeclarationPrinter::print(const ConstDecl& n) {
    out_.text("const ", n.name.text);
    expressions_.printTyped(n.type);
    expressions_.printInit(n.value);
    out_.text(";");
}

void DeclarationPrinter::print(const EnumDecl& n) {
    out_.text("enum ", n.name.text, " { ");
    out_.listed(n.members, [&](const EnumMember& member) {
        out_.text(member.name.text);
        expressions_.printInit(member.value);
    });
    out_.text(" };");
}

void DeclarationPrinter::print(const FieldDecl& n) {
    out_.word(n.hold, "hold ");
    out_.word(n.flip, "flip ");
    out_.text(n.name.text);
    expressions_.printTypedInit(n.type, n.init);
    out_.text(";");
}

void DeclarationPrinter::print(const std::vector<FieldDecl>& list) {
    out_.braced(list, [&](const FieldDecl& field) { print(field); });
    out_.text(";");
}

void DeclarationPrinter::print(const TypeDecl& n) {
    out_.text("type ", n.name.text);
    smec::visit(
        Overloaded{
            [&](const AliasType& alias) { expressions_.printTyped(alias.target), out_.text(";"); },
            [&](const StructType& t) { out_.text(": struct "), print(t.fields); },
            [&](const BusType& t) { out_.text(": bus "), print(t.fields); },
        },
        n.node);
}

void DeclarationPrinter::functionParams(const std::vector<FuncParam>& params) {
    out_.text("(");
    out_.listed(params, [&](const FuncParam& param) {
        out_.text(param.name.text);
        expressions_.printTyped(param.type);
    });
    out_.text(")");
}

void DeclarationPrinter::print(const FuncDecl& n) {
    out_.text("func ", n.name.text);
    functionParams(n.params);
    expressions_.printTyped(n.result);
    out_.text(" ");
    statements_.print(n.body);
}

void DeclarationPrinter::print(const ExternFunc& n) {
    out_.text("extern ");
    out_.word(n.serial, "serial ");
    out_.text("func ", n.name.text);
    functionParams(n.params);
    expressions_.printTyped(n.result);
    out_.text(" from ", stringText(n.header), ";");
}

void DeclarationPrinter::params(const std::vector<Param>& list) {
    out_.text("(");
    out_.listed(list, [&](const Param& param) {
        for (const ExprId size : param.dimensions) {
            out_.text("[");
            if (size.valid()) expressions_.print(size);
            out_.text("]");
        }
        if (!param.dimensions.empty()) out_.text(" ");
        out_.text(spelling(param.kind));
        out_.text(" ", param.name.text);
        expressions_.printTyped(param.type);
        expressions_.printInit(param.defaultValue);
    });
    out_.text(")");
}

void DeclarationPrinter::print(const BusDecl& n) {
    out_.word(n.exposed, "exposed ");
    out_.word(n.hold, "hold ");
    out_.word(n.unique, "unique ");
    if (n.delay.valid()) {
        out_.text("delay ");
        expressions_.print(n.delay);
        out_.text(" ");
    }
    out_.text("bus ", n.name.text);
    expressions_.printIndices(n.dimensions);
    if (n.type) return expressions_.printTyped(n.type), out_.text(";");
    out_.text(" ");
    print(n.fields);
}

void DeclarationPrinter::print(const VarDecl& n) { statements_.print(n); }

void DeclarationPrinter::print(const InstanceDecl& n) {
    out_.text("instance ", n.name.text);
    expressions_.printIndices(n.indices);
    out_.text(" of ");
    expressions_.print(n.entity);
    out_.text("(");
    expressions_.printArguments(n.arguments);
    out_.text(");");
}

void DeclarationPrinter::print(const GenerateFor& n) {
    out_.text("generate ", n.variable.text, " = ");
    expressions_.print(n.from);
    out_.text(n.isUntil ? " until " : " to ");
    expressions_.print(n.to);
    out_.text(" {\n");
    printAll(n.body);
    out_.closeBrace();
}

void DeclarationPrinter::print(const GenerateIf& n) {
    out_.text("generate if (");
    expressions_.print(n.condition);
    out_.text(") {\n");
    printAll(n.yes);
    out_.closeBrace();
    if (n.no.empty()) return;
    out_.text(" else {\n");
    printAll(n.no);
    out_.closeBrace();
}

void DeclarationPrinter::print(const ProcDecl& n) {
    if (n.external) return printForeign(n);
    out_.word(n.isSyncWord, "sync ");
    out_.word(n.kind != ProcKind::Clocked, spelling(n.kind));
    out_.word(n.kind != ProcKind::Clocked, " ");
    out_.text("proc ", n.name.text);
    params(n.params);
    out_.text("\n");
    printAll(n.decls);
    statements_.print(n.body);
}

void DeclarationPrinter::print(const NetworkDecl& n) {
    out_.text("network ", n.name.text);
    params(n.params);
    out_.text("\n{\n");
    printAll(n.decls);
    out_.text("}");
}

void DeclarationPrinter::printForeign(const ProcDecl& n) {
    out_.text("extern proc ", n.name.text);
    params(n.params);
    for (const ForeignBody& body : n.external->bodies)
        out_.text(" ", body.language.text, "(", stringText(body.file), ")");
    out_.text(";");
}

}  // namespace smec::ast
