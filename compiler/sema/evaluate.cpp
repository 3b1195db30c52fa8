#include "sema/evaluate.h"

#include "sema/evaluate_statements.h"
#include "sema/interval.h"
#include "sema/operand_types.h"
#include "source/overloaded.h"

namespace smec::sema {

using hir::Integer;
using hir::Value;

namespace {

// A step is some 20 ns. What long numbers and tables take beyond that counts as more steps, so that
// the limit bounds the time whatever is calculated with.

std::uint64_t limbs(const Value& value) {
    const Integer* number = std::get_if<Integer>(&value.data);
    return number ? number->backend().size() : 1;
}

/// Steps to make or copy a value, beside the one for the expression.
std::uint64_t copyCost(const Value& value) {
    const Value::List* list = std::get_if<Value::List>(&value.data);
    if (!list) return limbs(value) / 64;
    std::uint64_t cost = list->size() / 4;
    const bool areScalars = list->empty() || list->front().data.index() != value.data.index();
    for (std::size_t i = 0; i < list->size() && !areScalars; ++i)
        cost += copyCost((*list)[i]);
    return cost;
}

std::uint64_t operationCost(hir::BinaryOp op, const Value& left, const Value& right) {
    if (op == hir::BinaryOp::Mul) return limbs(left) * limbs(right) / 64;
    const bool isDivision = op == hir::BinaryOp::Div || op == hir::BinaryOp::Mod;
    return isDivision ? limbs(left) * limbs(right) / 16 : 0;
}

}  // namespace

std::optional<Value> Evaluator::call(hir::FunctionId id, std::vector<Value> arguments) {
    const hir::Function& function = design_.functions[id.index];
    arguments.resize(function.body.vars.size());
    EvaluatedBody frame{function.body, arguments, {}, nullptr};
    const Flow flow =
        StatementEvaluator(design_, steps_, *this).run(frame, function.body.statements);
    if (flow == Flow::Failed) return std::nullopt;
    if (flow != Flow::Return) return steps_.fail(Failure::FallsOff, function.range);
    return stored(std::move(frame.result), function.result, function.range);
}

std::optional<Value> Evaluator::expression(const hir::Body& body, hir::ExprId expr,
                                           std::vector<Value>& vars,
                                           const ConstantValues& constants) {
    EvaluatedBody frame{body, vars, {}, &constants};
    return eval(frame, expr);
}

std::optional<Value> Evaluator::eval(EvaluatedBody& frame, hir::ExprId id) {
    if (!id.valid()) return steps_.fail(Failure::FallsOff, {});
    const hir::Expr& expr = frame.body[id];
    if (!steps_.step(expr.range)) return std::nullopt;
    std::optional<Value> value = eval(frame, expr);
    if (value && !steps_.spend(copyCost(*value), expr.range)) return std::nullopt;
    return value;
}

std::optional<Value> Evaluator::eval(EvaluatedBody& frame, const hir::Expr& expr) {
    return smec::visit(
        Overloaded{
            [&](const hir::Constant& n) -> std::optional<Value> { return n.value; },
            [&](const hir::InstanceConstant& n) -> std::optional<Value> {
                if (frame.constants) return frame.constants->at(n.index);
                return steps_.fail(Failure::Prints, expr.range);
            },
            [&](const hir::ReadVar& n) -> std::optional<Value> { return frame.vars[n.var.index]; },
            [&](const hir::ReadField&) -> std::optional<Value> {
                return steps_.fail(Failure::Prints, expr.range);
            },
            [&](const hir::ArrayElement& n) { return element(frame, n, expr.range); },
            [&](const hir::BitSelect& n) { return bit(frame, n, expr.range); },
            [&](const hir::SliceSelect& n) { return slice(frame, n); },
            [&](const hir::IndexedSliceSelect& n) { return slice(frame, n, expr.range); },
            [&](const hir::StructMemberOf& n) -> std::optional<Value> {
                auto base = eval(frame, n.base);
                if (!base) return std::nullopt;
                return std::move(base->list()[n.member]);
            },
            [&](const hir::UnaryExpr& n) { return unary(frame, n, expr); },
            [&](const hir::BinaryExpr& n) { return chain(frame, n, expr.range); },
            [&](const hir::ConditionalExpr& n) -> std::optional<Value> {
                auto condition = eval(frame, n.condition);
                if (!condition) return std::nullopt;
                return eval(frame, condition->boolean() ? n.yes : n.no);
            },
            [&](const hir::CastExpr& n) { return cast(frame, n, expr); },
            [&](const hir::MakeArray& n) { return list(frame, n.elements, expr.type); },
            [&](const hir::MakeStruct& n) { return list(frame, n.members, expr.type); },
            [&](const hir::CallExpr& n) { return callOf(frame, n); },
            [&](const hir::BuiltinExpr& n) { return builtin(frame, n, expr.range); },
        },
        expr.node);
}

/// Left-leaning chains are walked, not recursed into.
std::optional<Value> Evaluator::chain(EvaluatedBody& frame, const hir::BinaryExpr& top,
                                      SourceRange range) {
    std::vector<const hir::BinaryExpr*> spine{&top};
    while (const auto* next = std::get_if<hir::BinaryExpr>(&frame.body[spine.back()->left].node))
        spine.push_back(next);
    std::optional<Value> value = eval(frame, spine.back()->left);
    for (; value && !spine.empty(); spine.pop_back()) {
        const hir::BinaryExpr& node = *spine.back();
        if (!steps_.step(range)) return std::nullopt;
        if (node.op == hir::BinaryOp::LogicalAnd && !value->boolean()) continue;
        if (node.op == hir::BinaryOp::LogicalOr && value->boolean()) continue;
        std::optional<Value> right = eval(frame, node.right);
        if (!right || !steps_.spend(operationCost(node.op, *value, *right), range))
            return std::nullopt;
        Folded folded = foldBinary(node.op, *value, *right);
        if (!folded.ok()) return steps_.fail(folded.failure, range);
        value = std::move(folded.value);
    }
    return value;
}

std::optional<std::uint64_t> Evaluator::index(EvaluatedBody& frame, hir::ExprId id,
                                              std::uint64_t size, SourceRange range) {
    auto value = eval(frame, id);
    if (!value) return std::nullopt;
    const Integer& number = value->integer();
    if (number < 0 || number >= size) return steps_.fail(Failure::IndexOutOfRange, range);
    return number.convert_to<std::uint64_t>();
}

std::optional<Value> Evaluator::element(EvaluatedBody& frame, const hir::ArrayElement& node,
                                        SourceRange range) {
    // The common table[i] is read in place: copying the table for each element would be quadratic.
    const hir::Expr& base = frame.body[node.base];
    const Value* table = nullptr;
    if (const auto* constant = std::get_if<hir::Constant>(&base.node)) table = &constant->value;
    if (const auto* var = std::get_if<hir::ReadVar>(&base.node))
        table = &frame.vars[var->var.index];
    std::optional<Value> computed;
    if (!table) {
        computed = eval(frame, node.base);
        if (!computed) return std::nullopt;
        table = &*computed;
    }
    auto at = index(frame, node.index, table->list().size(), range);
    if (!at) return std::nullopt;
    return table->list()[*at];
}

std::optional<Value> Evaluator::bit(EvaluatedBody& frame, const hir::BitSelect& node,
                                    SourceRange range) {
    auto base = eval(frame, node.base);
    if (!base) return std::nullopt;
    auto at = index(frame, node.index, widthOf(design_.types, frame.body[node.base].type), range);
    if (!at) return std::nullopt;
    return Value{bitOf(base->integer(), *at)};
}

std::optional<Value> Evaluator::slice(EvaluatedBody& frame, const hir::SliceSelect& node) {
    auto base = eval(frame, node.base);
    if (!base) return std::nullopt;
    return Value{sliceOf(base->integer(), node.high, node.low)};
}

std::optional<Value> Evaluator::slice(EvaluatedBody& frame, const hir::IndexedSliceSelect& node,
                                      SourceRange range) {
    auto base = eval(frame, node.base);
    if (!base) return std::nullopt;
    const std::uint32_t bits = widthOf(design_.types, frame.body[node.base].type);
    auto low = index(frame, node.low, bits - node.width + 1, range);
    if (!low) return std::nullopt;
    const auto first = static_cast<std::uint32_t>(*low);
    return Value{sliceOf(base->integer(), first + node.width - 1, first)};
}

std::optional<Value> Evaluator::unary(EvaluatedBody& frame, const hir::UnaryExpr& node,
                                      const hir::Expr& expr) {
    auto operand = eval(frame, node.operand);
    if (!operand) return std::nullopt;
    Folded folded = foldUnary(design_.types, node.op, *operand, expr.type);
    if (!folded.ok()) return steps_.fail(folded.failure, expr.range);
    return std::move(folded.value);
}

std::optional<Value> Evaluator::cast(EvaluatedBody& frame, const hir::CastExpr& node,
                                     const hir::Expr& expr) {
    auto operand = eval(frame, node.operand);
    if (!operand) return std::nullopt;
    Folded folded = foldCast(design_.types, *operand, expr.type);
    if (!folded.ok()) return steps_.fail(folded.failure, expr.range);
    return std::move(folded.value);
}

/// Each value is stored into its element or member, so that it wraps.
std::optional<Value> Evaluator::list(EvaluatedBody& frame, const std::vector<hir::ExprId>& ids,
                                     hir::TypeId type) {
    const auto* array = design_.types.as<hir::ArrayType>(type);
    const auto* structure = design_.types.as<hir::StructType>(type);
    Value::List values;
    for (hir::ExprId id : ids) {
        auto value = eval(frame, id);
        if (!value) return std::nullopt;
        const hir::TypeId part = array ? array->element : structure->members[values.size()].type;
        value = stored(std::move(*value), part, frame.body[id].range);
        if (!value) return std::nullopt;
        values.push_back(std::move(*value));
    }
    return Value{std::move(values)};
}

std::optional<Value> Evaluator::callOf(EvaluatedBody& frame, const hir::CallExpr& node) {
    const hir::Function& function = design_.functions[node.function.index];
    std::vector<Value> arguments;
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
        auto value = eval(frame, node.arguments[i]);
        if (!value) return std::nullopt;
        auto kept = stored(std::move(*value), function.body.vars[i].type,
                           frame.body[node.arguments[i]].range);
        if (!kept) return std::nullopt;
        arguments.push_back(std::move(*kept));
    }
    return call(node.function, std::move(arguments));
}

std::optional<Value> Evaluator::builtin(EvaluatedBody& frame, const hir::BuiltinExpr& node,
                                        SourceRange range) {
    std::vector<Value> values;
    std::vector<std::uint32_t> widths;
    for (hir::ExprId id : node.arguments) {
        auto value = eval(frame, id);
        if (!value) return std::nullopt;
        values.push_back(std::move(*value));
        widths.push_back(widthOf(design_.types, frame.body[id].type));
    }
    Folded folded = foldBuiltin(node.builtin, values, widths, node.count);
    if (!folded.ok()) return steps_.fail(folded.failure, range);
    return std::move(folded.value);
}

std::optional<Value> Evaluator::stored(Value value, hir::TypeId type, SourceRange range) {
    if (!design_.types.isInteger(type) || !std::holds_alternative<Integer>(value.data))
        return value;
    Folded folded = foldCast(design_.types, value, type);
    if (!folded.ok()) return steps_.fail(folded.failure, range);
    return std::move(folded.value);
}

}  // namespace smec::sema
