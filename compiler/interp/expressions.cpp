// Expressions: a walk over the tree. Long chains of operators (a + b + c + …) lean to the left;
// they are walked with a list, so that the depth of recursion is that of the parentheses.

#include <fmt/format.h>

#include "interp/arithmetic.h"
#include "interp/foreign.h"
#include "interp/hash.h"
#include "interp/machine.h"
#include "source/internal_error.h"

namespace smec::interp {

using hir::BinaryOp;
using hir::Expr;
using hir::ExprId;

Value Machine::evaluate(ExprId id) {
    Value scratch;
    const Value& value = look(id, scratch);
    if (&value == &scratch) return scratch;
    return value;
}

bool Machine::holds(ExprId condition) {
    Value scratch;
    return look(condition, scratch).isTrue();
}

const Value& Machine::look(ExprId id, Value& scratch) {
    const Expr& expr = body_[id];
    return std::visit([&](const auto& node) -> const Value& { return look(node, expr, scratch); },
                      expr.node);
}

const Value& Machine::look(const hir::Constant&, const Expr& expr, Value&) {
    return prepared_.constants[static_cast<std::size_t>(&expr - body_.exprs.data())];
}

const Value& Machine::look(const hir::InstanceConstant& constant, const Expr&, Value&) {
    return context_
        .values[context_.design.constants[process_.instance->firstConstant + constant.index]];
}

const Value& Machine::look(const hir::ReadVar& read, const Expr&, Value&) {
    return vars_[read.var.index];
}

const Value& Machine::look(const hir::ReadField& read, const Expr& expr, Value& scratch) {
    const auto element = portElement(read.port, read.element, expr.range);
    if (!element) return scratch = context_.defaultOf(expr.type);
    return context_.read[fieldIndex(read.port, read.field, *element)];
}

const Value& Machine::look(const hir::ArrayElement& element, const Expr& expr, Value& scratch) {
    const Value& base = look(element.base, scratch);
    Value indexScratch;
    const Value& index = look(element.index, indexScratch);
    const std::size_t length = base.list().size();
    if (const auto position = positionBelow(index, length)) return base.list()[*position];
    outOfRange(index, length, sourceText(element.base), expr.range);
    return scratch = context_.defaultOf(expr.type);
}

const Value& Machine::look(const hir::BitSelect& select, const Expr& expr, Value& scratch) {
    const Value& base = look(select.base, scratch);
    const Value index = evaluate(select.index);
    const std::uint32_t width = context_.types[typeOf(select.base).index].width;
    const auto position = positionBelow(index, width);
    if (!position) outOfRange(index, width, sourceText(select.base), expr.range);
    return scratch = small(position && bitOf(base, *position));
}

const Value& Machine::look(const hir::SliceSelect& select, const Expr&, Value& scratch) {
    return scratch = bitsOf(evaluate(select.base), select.high, select.low);
}

const Value& Machine::look(const hir::IndexedSliceSelect& select, const Expr& expr,
                           Value& scratch) {
    const Value& base = look(select.base, scratch);
    const Value low = evaluate(select.low);
    const std::uint32_t bits = context_.types[typeOf(select.base).index].width;
    const auto first = positionBelow(low, bits - select.width + 1);
    if (!first)
        outOfRange(bitOutside(low, select.width), bits, sourceText(select.base), expr.range);
    if (!first) return scratch = small(0);
    const auto at = static_cast<std::uint32_t>(*first);
    return scratch = bitsOf(base, at + select.width - 1, at);
}

const Value& Machine::look(const hir::StructMemberOf& member, const Expr&, Value& scratch) {
    return look(member.base, scratch).list()[member.member];
}

const Value& Machine::look(const hir::UnaryExpr& unary, const Expr&, Value& scratch) {
    Value inner;
    const Value& operand = look(unary.operand, inner);
    const TypeFacts& facts = context_.types[typeOf(unary.operand).index];
    switch (unary.op) {
    case hir::UnaryOp::Negate: return scratch = negate(operand);
    case hir::UnaryOp::Not: return scratch = small(!operand.isTrue());
    case hir::UnaryOp::Complement:
        return scratch = complement(operand, facts.width, facts.isSigned);
    }
    throw InternalError("no such unary operator");
}

const Value& Machine::look(const hir::BinaryExpr& binary, const Expr& expr, Value& scratch) {
    std::vector<const Expr*>& operators = context_.operators;
    const std::size_t outermost = operators.size();
    operators.push_back(&expr);
    ExprId leftmost = binary.left;
    while (const auto* left = std::get_if<hir::BinaryExpr>(&body_[leftmost].node)) {
        operators.push_back(&body_[leftmost]);
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

Value Machine::apply(const hir::BinaryExpr& expr, const Expr& whole, Value left) {
    if (expr.op == BinaryOp::LogicalAnd) return left.isTrue() ? evaluate(expr.right) : left;
    if (expr.op == BinaryOp::LogicalOr) return left.isTrue() ? left : evaluate(expr.right);
    Value scratch;
    const Value& right = look(expr.right, scratch);
    const bool divides = expr.op == BinaryOp::Div || expr.op == BinaryOp::Mod;
    if (divides && right.isSmall() && right.small() == 0) {
        if (!context_.settings.unchecked) throw Failure{"division by zero", whole.range};
        return expr.op == BinaryOp::Div ? small(0) : left;
    }
    const bool shifts = expr.op == BinaryOp::Shl || expr.op == BinaryOp::Shr;
    if (shifts && compareIntegers(right, small(0)) < 0) {
        if (!context_.settings.unchecked)
            throw Failure{"negative shift count " + toInteger(right).str(), whole.range};
        return left;
    }
    return binary(expr.op, left, right);
}

const Value& Machine::look(const hir::ConditionalExpr& conditional, const Expr&, Value& scratch) {
    const hir::ConditionalExpr* choice = &conditional;
    for (;;) {  // a ? b : c ? d : … leans to the right
        const ExprId chosen = holds(choice->condition) ? choice->yes : choice->no;
        choice = std::get_if<hir::ConditionalExpr>(&body_[chosen].node);
        if (!choice) return look(chosen, scratch);
    }
}

const Value& Machine::look(const hir::CastExpr& expr, const Expr& whole, Value& scratch) {
    return scratch = cast(evaluate(expr.operand), typeOf(expr.operand), whole.type, whole.range);
}

Value Machine::cast(Value value, TypeId from, TypeId to, SourceRange range) {
    const TypeTable& types = context_.design.types;
    if (types.as<hir::BoolType>(to)) {
        const auto* single = std::get_if<float>(&value.data);
        const auto* twice = std::get_if<double>(&value.data);
        return small(single  ? *single != 0
                     : twice ? *twice != 0
                             : compareIntegers(value, small(0)) != 0);
    }
    if (const auto* target = types.as<hir::FloatType>(to)) {
        if (const auto* single = std::get_if<float>(&value.data))
            return target->width == 32 ? value : real(double{*single});
        if (const auto* twice = std::get_if<double>(&value.data))
            return target->width == 64 ? value : real(static_cast<float>(*twice));
        return toFloat(value, target->width);
    }
    if (types.as<hir::EnumType>(to))
        return to == from ? value : castToEnum(std::move(value), to, range);
    if (types.isInteger(to)) {
        if (value.isFloat()) return toSaturated(value, types.minimum(to), types.maximum(to));
        return stored(std::move(value), to, range);
    }
    return stored(std::move(value), to, range);
}

Value Machine::castToEnum(Value value, TypeId to, SourceRange range) {
    const auto& enumeration = std::get<hir::EnumType>(context_.design.types[to]);
    const Integer number = toInteger(value);
    for (const hir::EnumMember& member : enumeration.members) {
        if (member.value == number) return value;
    }
    if (context_.settings.unchecked)
        return wrap(std::move(value), enumeration.width, enumeration.isSigned);
    throw Failure{fmt::format("{} is no member of enum '{}'", number.str(), enumeration.name),
                  range};
}

const Value& Machine::look(const hir::MakeArray& make, const Expr&, Value& scratch) {
    Value::List elements;
    for (const ExprId element : make.elements)
        elements.push_back(evaluate(element));
    return scratch = Value{std::move(elements)};
}

const Value& Machine::look(const hir::MakeStruct& make, const Expr&, Value& scratch) {
    Value::List members;
    for (const ExprId member : make.members)
        members.push_back(evaluate(member));
    return scratch = Value{std::move(members)};
}

const Value& Machine::look(const hir::CallExpr& call, const Expr& expr, Value& scratch) {
    const hir::Function& function = context_.design.functions[call.function.index];
    std::vector<Value> vars(function.body.vars.size());
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const ExprId argument = call.arguments[i];
        vars[i] = stored(evaluate(argument), function.body.vars[i].type, body_[argument].range);
    }
    if (function.external)
        return scratch = callForeign(context_.design.types, function,
                                     context_.settings.foreign->functions[call.function.index],
                                     vars.data());
    Machine callee(context_, process_, context_.functions[call.function.index], &function,
                   vars.data());
    std::vector<Frame> frames(1);
    frames.front().block = &function.body.statements;
    if (callee.run(frames) == Outcome::Returned) return scratch = callee.result();
    return scratch = context_.defaultOf(expr.type);  // the checker lets no function end like this
}

const Value& Machine::look(const hir::BuiltinExpr& expr, const Expr&, Value& scratch) {
    return scratch = builtin(expr);
}

Value Machine::builtin(const hir::BuiltinExpr& expr) {
    using hir::Builtin;
    switch (expr.builtin) {
    case Builtin::Cat: return concatenation(expr);
    case Builtin::Rep: return concatenation(expr);
    case Builtin::Min:
    case Builtin::Max: {
        Value best = evaluate(expr.arguments[0]);
        for (std::size_t i = 1; i < expr.arguments.size(); ++i) {
            Value other = evaluate(expr.arguments[i]);
            const BinaryOp better = expr.builtin == Builtin::Min ? BinaryOp::Lt : BinaryOp::Gt;
            if (binary(better, other, best).isTrue()) best = std::move(other);
        }
        return best;
    }
    case Builtin::Abs: return magnitude(evaluate(expr.arguments[0]));
    case Builtin::Popcount: return small(popcount(unsignedPattern(expr.arguments[0])));
    case Builtin::Any: return small(popcount(unsignedPattern(expr.arguments[0])) != 0);
    case Builtin::All:
        return small(popcount(unsignedPattern(expr.arguments[0]))
                     == context_.types[typeOf(expr.arguments[0]).index].width);
    case Builtin::Parity: return small(popcount(unsignedPattern(expr.arguments[0])) % 2);
    case Builtin::Cycle: return unsignedNumber(context_.cycle);
    case Builtin::Random: return randomNumber();
    }
    throw InternalError("unknown builtin");
}

Value Machine::unsignedPattern(ExprId operand) {
    return wrap(evaluate(operand), context_.types[typeOf(operand).index].width, false);
}

/// Cat: each argument once, high to low. Rep: one argument `count` times, evaluated once.
Value Machine::concatenation(const hir::BuiltinExpr& expr) {
    Value result = small(0);
    const std::uint32_t times = expr.builtin == hir::Builtin::Rep ? expr.count : 1;
    for (const ExprId argument : expr.arguments) {
        const Value bits = unsignedPattern(argument);
        const std::uint32_t width = context_.types[typeOf(argument).index].width;
        for (std::uint32_t i = 0; i < times; ++i)
            result = append(result, bits, width);
    }
    return result;
}

Value Machine::randomNumber() {
    return unsignedNumber(splitMix64(process_.randomState += kGoldenGamma));
}

}  // namespace smec::interp
