#include "sema/check/expressions.h"

#include "sema/check/calls.h"
#include "sema/check/lists.h"
#include "sema/check/names.h"
#include "sema/check/operators.h"
#include "sema/check/selections.h"
#include "source/overloaded.h"

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;
using hir::Value;

namespace {

/// Whether it is [n]u8, which a string may initialise.
bool isBytes(const hir::TypeTable& types, TypeId type) {
    const auto* array = types.as<hir::ArrayType>(type);
    const auto* element = array ? types.as<hir::IntType>(array->element) : nullptr;
    return element && element->flavour == hir::IntFlavour::Sized && element->width == 8
           && !element->isSigned;
}

}  // namespace

Operand Expressions::check(ast::ExprId id) {
    const std::uint32_t mark = uses_.mark();
    const ast::Expr& expr = module_[id];
    Operand result = checkNode(id, expr);
    result.range = expr.range;
    uses_.enclose(result, id, mark);
    return result;
}

Operand Expressions::number(const ast::IntLiteral& node, SourceRange range) {
    if (hir::bitsFor(node.value) <= kMaxBits) return build_.unsizedConstant(node.value, range);
    reporter_.report(DiagId::TooManyBits, range);
    return {};
}

Operand Expressions::number(const ast::FloatLiteral& node, SourceRange range) {
    Operand result = build_.constantOperand(Value{node.value}, TypeTable::kF64, range);
    result.floatLiteral = true;
    return result;
}

Operand Expressions::checkNode(ast::ExprId id, const ast::Expr& expr) {
    SourceRange range = expr.range;
    return smec::visit(
        Overloaded{
            [&](const AnyOf<ast::IntLiteral, ast::FloatLiteral> auto& n) {
                return number(n, range);
            },
            [&](const ast::BoolLiteral& n) {
                return build_.constantOperand(Value{n.value}, TypeTable::kBool, range);
            },
            [&](const ast::CharacterLiteral& n) {
                return build_.constantOperand(Value{hir::Integer(n.value)},
                                              types_.integer(8, false), range);
            },
            [&](const ast::StringLiteral& n) {
                return build_.constantOperand(Value{n.value}, TypeTable::kString, range);
            },
            [&](const ast::Undefined&) {
                Operand result;
                result.kind = Operand::Kind::Undefined;
                return result;
            },
            [&](const ast::Name& n) { return names_.name(id, n.text, range); },
            [&](const ast::Member& n) { return selections_.member(id, n, range); },
            [&](const ast::Index& n) { return selections_.index(id, n, range); },
            [&](const ast::Star&) {
                reporter_.report(DiagId::StarUse, range);
                return Operand{};
            },
            [&](const ast::Slice& n) { return selections_.slice(n, range); },
            [&](const ast::IndexedSlice& n) { return selections_.slice(n, range); },
            [&](const ast::Unary& n) { return operators_.unary(n.op, check(n.operand), range); },
            [&](const ast::Binary&) { return operators_.binarySpine(id); },
            [&](const ast::Conditional& n) { return operators_.conditional(n, range); },
            [&](const ast::ArrayLiteral& n) { return lists_.arrayLiteral(n, range); },
            [&](const ast::Paren& n) { return check(n.inner); },
            [&](const ast::Call& n) { return calls_.call(n, range); },
        },
        expr.node);
}

/// Like check, for expressions whose meaning depends on where they go: array literals, strings,
/// file(...).
Operand Expressions::checkFor(ast::ExprId id, const Destination& destination) {
    const std::uint32_t mark = uses_.mark();
    ast::ExprId inner = id;
    while (const auto* paren = std::get_if<ast::Paren>(&module_[inner].node))
        inner = paren->inner;
    const ast::Expr& expr = module_[inner];
    const auto* literal = std::get_if<ast::ArrayLiteral>(&expr.node);
    const auto* string = std::get_if<ast::StringLiteral>(&expr.node);
    Operand result;
    if (literal && types_.is<hir::ArrayType>(destination.type))
        result = lists_.arrayFor(*literal, expr.range, destination);
    else if (string && isBytes(types_, destination.type))
        result = lists_.bytesFor(string->value, expr.range, destination);
    else if (lists_.isDataFile(inner))
        result = lists_.dataFile(std::get<ast::Call>(expr.node), expr.range, destination);
    else
        return check(id);
    result.range = expr.range;
    uses_.enclose(result, id, mark);
    return result;
}

hir::ExprId Expressions::condition(ast::ExprId expr, Operand* checked) {
    Operand operand = check(expr);
    if (checked) *checked = operand;
    if (operand.isError() || !operandsAreValues(reporter_, operand, operand)) return {};
    if (operand.type != TypeTable::kBool) {
        reporter_.report(DiagId::ConditionType, operand.range, typeName(types_, operand),
                         types_.isInteger(operand.type) ? "; write '!= 0'" : "");
        return {};
    }
    return build_.use(operand);
}

void Expressions::checkAll(const std::vector<ast::Argument>& arguments) {
    for (const ast::Argument& argument : arguments)
        check(argument.value);
}

Operand Expressions::checkTypeOnly(ast::ExprId id) {
    const std::size_t begin = build_.body().exprs.size();
    Operand operand;
    {
        const Depth::Inside inside = nesting_.typeOnly.enter();
        operand = check(id);
    }
    build_.dropExprs(begin);
    return operand;
}

}  // namespace smec::sema
