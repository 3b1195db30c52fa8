#include "ast/expression_printer.h"

#include <variant>
#include <vector>

#include "ast/spelling.h"
#include "source/overloaded.h"

namespace smec::ast {

// a + b - c is a chain of Binary nodes down the left side: go down, print the first operand, then
// come back up.
void ExpressionPrinter::print(ExprId id) {
    std::vector<const Binary*> chain;
    const auto* binary = std::get_if<Binary>(&module_[id].node);
    for (; binary; binary = std::get_if<Binary>(&module_[id].node)) {
        chain.push_back(binary);
        id = binary->left;
    }
    printNode(module_[id]);
    for (; !chain.empty(); chain.pop_back()) {
        out_ += ' ';
        out_ += spelling(chain.back()->op);
        out_ += ' ';
        print(chain.back()->right);
    }
}

void ExpressionPrinter::printNode(const Expr& expr) {
    auto text = [&](std::string_view s) { out_ += s; };
    smec::visit(Overloaded{
                    [&](const IntLiteral& n) { text(n.value.str()); },
                    [&](const FloatLiteral& n) { text(floatText(n.value)); },
                    [&](const BoolLiteral& n) { text(n.value ? "true" : "false"); },
                    [&](const CharacterLiteral& n) { text(characterText(n.value)); },
                    [&](const StringLiteral& n) { text(stringText(n.value)); },
                    [&](const Undefined&) { text("'U"); },
                    [&](const Name& n) { text(n.text); },
                    [&](const Member& n) { print(n.base), text("."), text(n.name.text); },
                    [&](const Index& n) { print(n.base), text("["), print(n.index), text("]"); },
                    [&](const Star& n) { print(n.base), text("[*]"); },
                    [&](const Slice& n) {
                        print(n.base), text("["), print(n.high), text(":"), print(n.low), text("]");
                    },
                    [&](const IndexedSlice& n) {
                        print(n.base), text("["), print(n.low), text(" +: "), print(n.width),
                            text("]");
                    },
                    [&](const Unary& n) { text(spelling(n.op)), print(n.operand); },
                    [&](const Binary& n) { print(n.left), text(spelling(n.op)), print(n.right); },
                    [&](const Conditional& n) {
                        print(n.condition), text(" ? "), print(n.yes), text(" : "), print(n.no);
                    },
                    [&](const ArrayLiteral& n) { text("["), printList(n.elements), text("]"); },
                    [&](const Paren& n) { text("("), print(n.inner), text(")"); },
                    [&](const Call& n) {
                        print(n.callee), text("("), printArguments(n.arguments), text(")");
                    },
                },
                expr.node);
}

void ExpressionPrinter::print(const TypeExpr& type) {
    auto text = [&](std::string_view s) { out_ += s; };
    smec::visit(
        Overloaded{
            [&](const NamedType& n) { text(joined(n.path, ".")); },
            [&](const SizedType& n) { text(n.isSigned ? "i(" : "u("), print(n.width), text(")"); },
            [&](const ArrayType& n) {
                text("["), print(n.size), text("]"), print(n.element.at(0));
            },
            [&](const TypeOf& n) { text("type("), print(n.operand), text(")"); },
        },
        type.node);
}

void ExpressionPrinter::printBound(const TypeExpr& type) {
    if (!type.bound) return;
    out_ += " range ";
    print(type.bound->low);
    out_ += " to ";
    print(type.bound->high);
}

void ExpressionPrinter::printArguments(const std::vector<Argument>& arguments) {
    bool first = true;
    for (const Argument& argument : arguments) {
        if (!first) out_ += ", ";
        first = false;
        if (argument.name) out_ += argument.name->text + ": ";
        print(argument.value);
    }
}

void ExpressionPrinter::printList(const std::vector<ExprId>& list) {
    bool first = true;
    for (ExprId id : list) {
        if (!first) out_ += ", ";
        first = false;
        print(id);
    }
}

void ExpressionPrinter::printIndices(const std::vector<ExprId>& indices) {
    for (ExprId id : indices) {
        out_ += '[';
        print(id);
        out_ += ']';
    }
}

void ExpressionPrinter::printInit(ExprId value) {
    if (!value.valid()) return;
    out_ += " = ";
    print(value);
}

void ExpressionPrinter::printTyped(const TypeExpr& type) {
    out_ += ": ";
    print(type);
    printBound(type);
}

void ExpressionPrinter::printTyped(const std::optional<TypeExpr>& type) {
    if (type) printTyped(*type);
}

void ExpressionPrinter::printTypedInit(const TypeExpr& type, ExprId value) {
    out_ += ": ";
    print(type);
    printInit(value);
    printBound(type);
}

}  // namespace smec::ast
