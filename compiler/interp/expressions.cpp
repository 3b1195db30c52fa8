#include "interp/expressions.h"

#include "interp/arithmetic.h"
#include "interp/builtins.h"
#include "interp/conversions.h"
#include "interp/foreign.h"
#include "interp/indices.h"
#include "interp/machine.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

// A walk over the tree. Long chains of operators (a + b + c + …) lean to the left;
// they are walked with a list, so that the depth of recursion is that of the parentheses.

namespace smec::interp {

using hir::BinaryOp;
using hir::Expr;
using hir::ExprId;

Value Expressions::evaluate(ExprId id) {
    Value scratch;
    const Value& value = look(id, scratch);
    if (&value == &scratch) return scratch;
    return value;
}

bool Expressions::holds(ExprId condition) {
    Value scratch;
    return look(condition, scratch).isTrue();
}

const Value& Expressions::look(ExprId id, Value& scratch) {
    const Expr& expr = on_.body()[id];
    return smec::visit([&](const auto& node) -> const Value& { return look(node, expr, scratch); },
                       expr.node);
}

const Value& Expressions::look(const hir::Constant&, const Expr& expr, Value&) {
    return on_.prepared.constants[static_cast<std::size_t>(&expr - on_.body().exprs.data())];
}

const Value& Expressions::look(const hir::InstanceConstant& constant, const Expr&, Value&) {
    return on_.context
        .values[on_.context.design.constants[on_.process.instance->firstConstant + constant.index]];
}

const Value& Expressions::look(const hir::ReadVar& read, const Expr&, Value&) {
    return on_.vars[read.var.index];
}

const Value& Expressions::look(const hir::ReadField& read, const Expr& expr, Value& scratch) {
    const auto element = portElement(read.port, read.element, expr.range);
    if (!element) return scratch = on_.context.defaultOf(expr.type);
    return on_.context.read[fieldIndex(on_, read.port, read.field, *element)];
}

const Value& Expressions::look(const hir::ArrayElement& element, const Expr& expr, Value& scratch) {
    const Value& base = look(element.base, scratch);
    Value indexScratch;
    const Value& index = look(element.index, indexScratch);
    const std::size_t length = base.list().size();
    if (const auto position = positionBelow(index, length)) return base.list()[*position];
    outOfRange(on_.context.settings, index, length, on_.sourceText(element.base), expr.range);
    return scratch = on_.context.defaultOf(expr.type);
}

const Value& Expressions::look(const hir::BitSelect& select, const Expr& expr, Value& scratch) {
    const Value& base = look(select.base, scratch);
    const Value index = evaluate(select.index);
    const std::uint32_t width = on_.factsOf(select.base).width;
    const auto position = positionBelow(index, width);
    if (!position)
        outOfRange(on_.context.settings, index, width, on_.sourceText(select.base), expr.range);
    return scratch = small(position && bitOf(base, *position));
}

const Value& Expressions::look(const hir::SliceSelect& select, const Expr&, Value& scratch) {
    return scratch = bitsOf(evaluate(select.base), select.high, select.low);
}

const Value& Expressions::look(const hir::IndexedSliceSelect& select, const Expr& expr,
                               Value& scratch) {
    const Value& base = look(select.base, scratch);
    const Value low = evaluate(select.low);
    const std::uint32_t bits = on_.factsOf(select.base).width;
    const auto first = positionBelow(low, bits - select.width + 1);
    if (!first)
        outOfRange(on_.context.settings, bitOutside(low, select.width), bits,
                   on_.sourceText(select.base), expr.range);
    if (!first) return scratch = small(0);
    const auto at = static_cast<std::uint32_t>(*first);
    return scratch = bitsOf(base, at + select.width - 1, at);
}

const Value& Expressions::look(const hir::StructMemberOf& member, const Expr&, Value& scratch) {
    return look(member.base, scratch).list()[member.member];
}

const Value& Expressions::look(const hir::UnaryExpr& unary, const Expr&, Value& scratch) {
    Value inner;
    const Value& operand = look(unary.operand, inner);
    const TypeFacts& facts = on_.factsOf(unary.operand);
    switch (unary.op) {
    case hir::UnaryOp::Negate: return scratch = negate(operand);
    case hir::UnaryOp::Not: return scratch = small(!operand.isTrue());
    case hir::UnaryOp::Complement:
        return scratch = complement(operand, facts.width, facts.isSigned);
    }
    throw InternalError("no such unary operator");
}

const Value& Expressions::look(const hir::BinaryExpr& binary, const Expr& expr, Value& scratch) {
    std::vector<const Expr*>& operators = on_.context.operators;
    const std::size_t outermost = operators.size();
    operators.push_back(&expr);
    ExprId leftmost = binary.left;
    while (const auto* left = std::get_if<hir::BinaryExpr>(&on_.body()[leftmost].node)) {
        operators.push_back(&on_.body()[leftmost]);
        leftmost = left->left;
    }
    Value value = evaluate(leftmost);
    while (operators.size() > outermost) {
        const Expr& innermost = *operators.back();
        operators.pop_back();
        value = apply(std::get<hir::BinaryExpr>(innermost.node), innermost, std::move(value));
    }
    return scratch = std::move(value);
}

Value Expressions::apply(const hir::BinaryExpr& expr, const Expr& whole, Value left) {
    if (expr.op == BinaryOp::LogicalAnd) return left.isTrue() ? evaluate(expr.right) : left;
    if (expr.op == BinaryOp::LogicalOr) return left.isTrue() ? left : evaluate(expr.right);
    Value scratch;
    const Value& right = look(expr.right, scratch);
    const bool divides = expr.op == BinaryOp::Div || expr.op == BinaryOp::Mod;
    if (divides && right.isSmall() && right.small() == 0) {
        if (!on_.context.settings.unchecked) throw Failure{"division by zero", whole.range};
        return expr.op == BinaryOp::Div ? small(0) : left;
    }
    const bool shifts = expr.op == BinaryOp::Shl || expr.op == BinaryOp::Shr;
    if (shifts && compareIntegers(right, small(0)) < 0) {
        if (!on_.context.settings.unchecked)
            throw Failure{"negative shift count " + toInteger(right).str(), whole.range};
        return left;
    }
    return binary(expr.op, left, right);
}

const Value& Expressions::look(const hir::ConditionalExpr& conditional, const Expr&,
                               Value& scratch) {
    const hir::ConditionalExpr* choice = &conditional;
    for (;;) {  // a ? b : c ? d : … leans to the right
        const ExprId chosen = holds(choice->condition) ? choice->yes : choice->no;
        choice = std::get_if<hir::ConditionalExpr>(&on_.body()[chosen].node);
        if (!choice) return look(chosen, scratch);
    }
}

const Value& Expressions::look(const hir::CastExpr& expr, const Expr& whole, Value& scratch) {
    return scratch = cast(on_.context, evaluate(expr.operand), on_.typeOf(expr.operand), whole.type,
                          whole.range);
}

const Value& Expressions::look(const hir::MakeArray& make, const Expr&, Value& scratch) {
    Value::List elements;
    for (const ExprId element : make.elements)
        elements.push_back(evaluate(element));
    return scratch = Value{std::move(elements)};
}

const Value& Expressions::look(const hir::MakeStruct& make, const Expr&, Value& scratch) {
    Value::List members;
    for (const ExprId member : make.members)
        members.push_back(evaluate(member));
    return scratch = Value{std::move(members)};
}

const Value& Expressions::look(const hir::CallExpr& call, const Expr& expr, Value& scratch) {
    const hir::Function& function = on_.context.design.functions[call.function.index];
    std::vector<Value> vars(function.body.vars.size());
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const ExprId argument = call.arguments[i];
        vars[i] = stored(on_.context, evaluate(argument), function.body.vars[i].type,
                         on_.body()[argument].range);
    }
    if (function.external)
        return scratch = callForeign(on_.context.design.types, function,
                                     on_.context.settings.foreign->functions[call.function.index],
                                     vars.data(),
                                     {on_.context.cycle, call.function.index, on_.process.id.index,
                                      on_.context.outside});
    Machine callee(
        {on_.context, on_.process, on_.context.functions[call.function.index], vars.data()},
        &function);
    std::vector<Frame> frames(1);
    frames.front().block = &function.body.statements;
    if (callee.run(frames) == Outcome::Returned) return scratch = callee.result();
    return scratch =
               on_.context.defaultOf(expr.type);  // the checker lets no function end like this
}

const Value& Expressions::look(const hir::BuiltinExpr& expr, const Expr&, Value& scratch) {
    return scratch = Builtins(on_, *this).call(expr);
}

std::optional<std::uint64_t> Expressions::portElement(std::uint32_t port, ExprId element,
                                                      SourceRange range) {
    if (!element.valid()) return 0;
    const hir::Port& declared = on_.process.spec->ports[port];
    const Value index = evaluate(element);
    const auto position = positionBelow(index, declared.elements);
    if (!position) outOfRange(on_.context.settings, index, declared.elements, declared.name, range);
    return position;
}

}  // namespace smec::interp
