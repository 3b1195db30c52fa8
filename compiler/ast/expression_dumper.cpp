#include "ast/expression_dumper.h"

#include "ast/spelling.h"
#include "source/overloaded.h"

namespace smec::ast {

namespace {

template <typename... Parts>
std::string concat(const Parts&... parts) {
    std::string out;
    ((out += parts), ...);
    return out;
}

}  // namespace

std::string ExpressionDumper::text(ExprId id) const {
    std::string out;
    append(out, id);
    return out;
}

std::string ExpressionDumper::spaced(ExprId id) const {
    return id.valid() ? concat(" ", text(id)) : std::string();
}

std::string ExpressionDumper::spaced(const std::vector<ExprId>& ids) const {
    std::string out;
    for (ExprId id : ids)
        out += spaced(id);
    return out;
}

void ExpressionDumper::append(std::string& out, ExprId id) const {
    std::vector<const Binary*> chain;
    const auto* binary = std::get_if<Binary>(&module_[id].node);
    for (; binary; binary = std::get_if<Binary>(&module_[id].node)) {
        out += '(';
        out += spelling(binary->op);
        out += ' ';
        chain.push_back(binary);
        id = binary->left;
    }
    appendNode(out, module_[id]);
    for (; !chain.empty(); chain.pop_back()) {
        out += ' ';
        append(out, chain.back()->right);
        out += ')';
    }
}

void ExpressionDumper::appendList(std::string& out, std::string_view head,
                                  const std::vector<ExprId>& parts) const {
    out += '(';
    out += head;
    out += spaced(parts) + ")";
}

void ExpressionDumper::appendNode(std::string& out, const Expr& expr) const {
    const auto list = [&](std::string_view head, const std::vector<ExprId>& parts) {
        appendList(out, head, parts);
    };
    smec::visit(Overloaded{
                    [&](const IntLiteral& n) { out += n.value.str(); },
                    [&](const FloatLiteral& n) { out += floatText(n.value); },
                    [&](const BoolLiteral& n) { out += n.value ? "true" : "false"; },
                    [&](const CharacterLiteral& n) { out += characterText(n.value); },
                    [&](const StringLiteral& n) { out += stringText(n.value); },
                    [&](const Undefined&) { out += "'U"; },
                    [&](const Name& n) { out += n.text; },
                    [&](const Member& n) {
                        out += concat("(member", spaced(n.base), " ", n.name.text, ")");
                    },
                    [&](const Index& n) {
                        list("index", {n.base, n.index});
                    },
                    [&](const Star& n) { list("star", {n.base}); },
                    [&](const Slice& n) {
                        list("slice", {n.base, n.high, n.low});
                    },
                    [&](const IndexedSlice& n) {
                        list("slice+", {n.base, n.low, n.width});
                    },
                    [&](const Unary& n) { list(spelling(n.op), {n.operand}); },
                    [&](const Binary& n) {
                        list(spelling(n.op), {n.left, n.right});
                    },
                    [&](const Conditional& n) {
                        list("?:", {n.condition, n.yes, n.no});
                    },
                    [&](const ArrayLiteral& n) { list("array", n.elements); },
                    [&](const Paren& n) { list("paren", {n.inner}); },
                    [&](const Call& n) { appendCall(out, n); },
                },
                expr.node);
}

void ExpressionDumper::appendCall(std::string& out, const Call& call) const {
    out += "(call ";
    append(out, call.callee);
    out += arguments(call.arguments) + ")";
}

std::string ExpressionDumper::arguments(const std::vector<Argument>& list) const {
    std::string out;
    for (const Argument& argument : list) {
        out += ' ';
        if (argument.name) out += argument.name->text + ":";
        append(out, argument.value);
    }
    return out;
}

// ------------------------------------------------------------ types

std::string ExpressionDumper::text(const TypeExpr& type) const {
    std::string out =
        smec::visit(Overloaded{
                        [&](const NamedType& n) { return joined(n.path, "."); },
                        [&](const SizedType& n) {
                            return concat(n.isSigned ? "(i " : "(u ", text(n.width), ")");
                        },
                        [&](const ArrayType& n) {
                            return concat("[", text(n.size), "]", text(n.element.at(0)));
                        },
                        [&](const TypeOf& n) { return concat("(type ", text(n.operand), ")"); },
                    },
                    type.node);
    if (type.bound) out += concat("{", text(type.bound->low), "..", text(type.bound->high), "}");
    return out;
}

std::string ExpressionDumper::typed(const std::optional<TypeExpr>& type) const {
    return type ? concat(": ", text(*type)) : std::string();
}

std::string ExpressionDumper::init(ExprId value) const {
    return value.valid() ? concat(" = ", text(value)) : std::string();
}

}  // namespace smec::ast
