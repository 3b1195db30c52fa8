#include "lower/body/scalars.h"

#include <algorithm>

#include "ir/visit.h"
#include "lower/body/calls.h"
#include "lower/body/parts.h"
#include "lower/body/source_texts.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

// Scalars become pure expressions. Whatever may fail (an index, a divisor) or call stands as
// statements in front; where such a part is not always evaluated, the choice becomes an `if` with a
// temporary:
//   ok && a[i] == 0     ->     if ok { check i < 4; t = (a[i] == 0) } else { t = false }     … t …

namespace smec::lower {

ir::ExprId Scalars::scalar(hir::ExprId id) {
    const hir::Expr& expr = source_[id];
    return smec::visit(
        Overloaded{
            [&](const hir::InstanceConstant&) { return parts_.read(parts_.part(id)); },
            [&](const hir::ReadVar&) { return parts_.read(parts_.part(id)); },
            [&](const hir::ReadField&) { return parts_.read(parts_.part(id)); },
            [&](const hir::ArrayElement&) { return parts_.read(parts_.part(id)); },
            [&](const hir::StructMemberOf&) { return parts_.read(parts_.part(id)); },
            [&](const hir::MakeArray&) { return parts_.read(parts_.part(id)); },
            [&](const hir::MakeStruct&) { return parts_.read(parts_.part(id)); },
            [&](const auto& node) { return lower(node, expr); },
        },
        expr.node);
}

ir::ExprId Scalars::lower(const hir::Constant& node, const hir::Expr& expr) {
    return numbers_.constantOf(node.value, expr.type);
}

ir::ExprId Scalars::lower(const hir::BitSelect& node, const hir::Expr& expr) {
    const ir::ExprId base = scalar(node.base);
    const auto [index, inside] =
        numbers_.firstBit(scalar(node.index), 1, numbers_.widthOf(source_[node.base].type),
                          sourceTexts_.subjectOf(node.base), expr.range);
    const ir::ExprId bit = builder_.wrap(builder_.binary(ir::BinaryOp::Shr, base, index), 1, false);
    const ir::ExprId value = builder_.convert(ir::ConvertOp::IntToBool, bit, ir::ExprType::Bool);
    return context_.options.unchecked ? builder_.binary(ir::BinaryOp::BoolAnd, inside, value)
                                      : value;
}

ir::ExprId Scalars::lower(const hir::SliceSelect& node, const hir::Expr&) {
    const ir::ExprId shifted =
        builder_.binary(ir::BinaryOp::Shr, scalar(node.base), numbers_.integer(node.low));
    return builder_.wrap(shifted, node.high - node.low + 1, false);
}

ir::ExprId Scalars::lower(const hir::IndexedSliceSelect& node, const hir::Expr& expr) {
    const ir::ExprId base = scalar(node.base);
    const auto [low, inside] =
        numbers_.firstBit(scalar(node.low), node.width, numbers_.widthOf(source_[node.base].type),
                          sourceTexts_.subjectOf(node.base), expr.range);
    const ir::ExprId value =
        builder_.wrap(builder_.binary(ir::BinaryOp::Shr, base, low), node.width, false);
    return context_.options.unchecked ? builder_.select(inside, value, numbers_.integer(0)) : value;
}

/// A choice whose sides need no statements is a Select. Chains `a ? b : c ? d : …` are walked with
/// a list.
ir::ExprId Scalars::lower(const hir::ConditionalExpr& node, const hir::Expr& expr) {
    if (isAggregate(context_.types(), expr.type))
        throw InternalError("a choice between aggregates is no scalar", expr.range);
    struct Choice {
        ir::ExprId condition, yes;
        ir::Block yesBlock, noBlock;
    };
    std::deque<Choice> choices;
    ir::Block* outer = writer_.block();
    const hir::ConditionalExpr* next = &node;
    hir::ExprId last;
    while (next) {
        Choice& choice = choices.emplace_back();
        choice.condition = scalar(next->condition);
        choice.yesBlock = writer_.capture([&] { choice.yes = scalar(next->yes); });
        writer_.writeTo(&choice.noBlock);
        last = next->no;
        next = std::get_if<hir::ConditionalExpr>(&source_[last].node);
    }
    ir::ExprId value = scalar(last);
    for (; !choices.empty(); choices.pop_back()) {
        Choice& choice = choices.back();
        writer_.writeTo(choices.size() == 1 ? outer : &choices[choices.size() - 2].noBlock);
        if (choice.yesBlock.empty() && choice.noBlock.empty()) {
            value = builder_.select(choice.condition, choice.yes, value);
            continue;
        }
        const ir::LocalId result = writer_.tempFor(choice.yes, value);
        choice.yesBlock.push_back({expr.range, ir::Set{result, {}, choice.yes}});
        choice.noBlock.push_back({expr.range, ir::Set{result, {}, value}});
        writer_.emit(expr.range, ir::If{choice.condition, std::move(choice.yesBlock),
                                        std::move(choice.noBlock)});
        value = builder_.read(result);
    }
    return value;
}

ir::ExprId Scalars::logical(bool isAnd, ir::ExprId left, hir::ExprId right, SourceRange range) {
    ir::ExprId value;
    ir::Block block = writer_.capture([&] { value = scalar(right); });
    if (block.empty())
        return builder_.binary(isAnd ? ir::BinaryOp::BoolAnd : ir::BinaryOp::BoolOr, left, value);
    const ir::LocalId result = writer_.temp({ir::ScalarKind::Bool, false, 1});
    block.push_back({range, ir::Set{result, {}, value}});
    ir::Block skip;
    skip.push_back({range, ir::Set{result, {}, builder_.constant(!isAnd)}});
    if (!isAnd) std::swap(block, skip);
    writer_.emit(range, ir::If{left, std::move(block), std::move(skip)});
    return builder_.read(result);
}

ir::ExprId Scalars::lower(const hir::CallExpr& node, const hir::Expr& expr) {
    const hir::TypeId type = context_.hir.functions[node.function.index].result;
    ir::Call call = calls_.prepareCall(node);
    const ir::LocalId result =
        writer_.temp(context_.out.functions[call.function.index].results[0].scalar);
    body_.locals[result.index].range = context_.trustedRange(type);
    call.results = {result};
    writer_.emit(expr.range, std::move(call));
    return builder_.read(result);
}

ir::ExprId Scalars::castToInt(ir::ExprId value, hir::TypeId to, SourceRange range) {
    const ir::Scalar target = scalarOf(context_.types(), to);
    switch (body_[value].type) {
    case ir::ExprType::Bool:
        value = builder_.convert(ir::ConvertOp::BoolToInt, value, ir::ExprType::Int);
        break;
    case ir::ExprType::Int: break;
    case ir::ExprType::F32:
    case ir::ExprType::F64: {  // saturates at the ends of the type, which may lie within those of
                               // its bits
        value = builder_.convert(ir::ConvertOp::FloatToInt, value, ir::ExprType::Int, target.width,
                                 target.isSigned);
        value = builder_.binary(ir::BinaryOp::Min, value,
                                numbers_.integer(context_.types().maximum(to)));
        return builder_.binary(ir::BinaryOp::Max, value,
                               numbers_.integer(context_.types().minimum(to)));
    }
    }
    return numbers_.fit(value, to, range);
}

ir::ExprId Scalars::castToEnum(ir::ExprId value, hir::TypeId to, SourceRange range) {
    const auto& type = std::get<hir::EnumType>(context_.types()[to]);
    if (body_[value].type == ir::ExprType::Bool)
        value = builder_.convert(ir::ConvertOp::BoolToInt, value, ir::ExprType::Int);
    ir::ExprId ok = builder_.constant(false);
    std::vector<ir::Integer> numbers;
    for (const auto& member : type.members)
        numbers.push_back(member.value);
    std::sort(numbers.begin(), numbers.end());
    for (std::size_t i = 0; i < numbers.size();) {  // one comparison for each stretch of numbers
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] <= numbers[last] + 1)
            ++last;
        ok = builder_.binary(ir::BinaryOp::BoolOr, ok,
                             numbers_.within(value, numbers[i], numbers[last]));
        i = last + 1;
    }
    if (!context_.options.unchecked)
        writer_.check(ok, failSite(ir::FailureKind::EnumValue, range, type.name), {value}, range);
    return builder_.wrap(value, type.width, type.isSigned);
}

ir::ExprId Scalars::lower(const hir::CastExpr& node, const hir::Expr& expr) {
    const ir::ExprId value = scalar(node.operand);
    const ir::ExprType from = body_[value].type;
    if (context_.types().as<hir::EnumType>(expr.type)) {
        return expr.type == source_[node.operand].type ? value
                                                       : castToEnum(value, expr.type, expr.range);
    }
    const ir::ExprType to = exprTypeOf(context_.types(), expr.type);
    if (to == ir::ExprType::Int) return castToInt(value, expr.type, expr.range);
    if (to != ir::ExprType::Bool) return numbers_.castToFloat(value, to);
    if (from == ir::ExprType::Bool) return value;
    if (from == ir::ExprType::Int)
        return builder_.convert(ir::ConvertOp::IntToBool, value, ir::ExprType::Bool);
    return builder_.binary(ir::BinaryOp::FNe, value, builder_.constant(0.0, from));
}

}  // namespace smec::lower
