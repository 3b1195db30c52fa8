#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "lower/body.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

// Scalars become pure expressions. Whatever may fail (an index, a divisor) or call stands as
// statements in front; where such a part is not always evaluated, the choice becomes an `if` with a
// temporary:
//   ok && a[i] == 0     ->     if ok { check i < 4; t = (a[i] == 0) } else { t = false }     … t …

namespace smec::lower {

ir::ExprId BodyLowering::scalar(hir::ExprId id) {
    const hir::Expr& expr = source_[id];
    return std::visit(Overloaded{
                          [&](const hir::InstanceConstant&) { return read(part(id)); },
                          [&](const hir::ReadVar&) { return read(part(id)); },
                          [&](const hir::ReadField&) { return read(part(id)); },
                          [&](const hir::ArrayElement&) { return read(part(id)); },
                          [&](const hir::StructMemberOf&) { return read(part(id)); },
                          [&](const hir::MakeArray&) { return read(part(id)); },
                          [&](const hir::MakeStruct&) { return read(part(id)); },
                          [&](const auto& node) { return lower(node, expr); },
                      },
                      expr.node);
}

std::uint32_t BodyLowering::widthOf(hir::TypeId type) const {
    return scalarOf(context_.types(), type).width;
}

ir::ExprId BodyLowering::constantOf(const ir::Constant& value, ir::ExprType type) {
    if (const auto* number = std::get_if<double>(&value.value))
        return builder_.constant(*number, type);
    const ir::Integer& number = std::get<ir::Integer>(value.value);
    if (type == ir::ExprType::Bool) return builder_.constant(number != 0);
    return castToFloat(builder_.constant(number), type);
}

ir::ExprId BodyLowering::constantOf(const hir::Value& value, hir::TypeId type) {
    const ir::ExprType to = exprTypeOf(context_.types(), type);
    if (!value.valid())
        return constantOf(lower::constantOf(hir::defaultValue(context_.types(), type)), to);
    return constantOf(lower::constantOf(value), to);
}

ir::ExprId BodyLowering::lower(const hir::Constant& node, const hir::Expr& expr) {
    return constantOf(node.value, expr.type);
}

ir::ExprId BodyLowering::lower(const hir::BitSelect& node, const hir::Expr& expr) {
    const ir::ExprId base = scalar(node.base);
    const auto [index, inside] = firstBit(scalar(node.index), 1, widthOf(typeOf(node.base)),
                                          subjectOf(node.base), expr.range);
    const ir::ExprId bit = builder_.wrap(builder_.binary(ir::BinaryOp::Shr, base, index), 1, false);
    const ir::ExprId value = builder_.convert(ir::ConvertOp::IntToBool, bit, ir::ExprType::Bool);
    return context_.options.unchecked ? builder_.binary(ir::BinaryOp::BoolAnd, inside, value)
                                      : value;
}

ir::ExprId BodyLowering::lower(const hir::SliceSelect& node, const hir::Expr&) {
    const ir::ExprId shifted =
        builder_.binary(ir::BinaryOp::Shr, scalar(node.base), integer(node.low));
    return builder_.wrap(shifted, node.high - node.low + 1, false);
}

ir::ExprId BodyLowering::lower(const hir::IndexedSliceSelect& node, const hir::Expr& expr) {
    const ir::ExprId base = scalar(node.base);
    const auto [low, inside] = firstBit(scalar(node.low), node.width, widthOf(typeOf(node.base)),
                                        subjectOf(node.base), expr.range);
    const ir::ExprId value =
        builder_.wrap(builder_.binary(ir::BinaryOp::Shr, base, low), node.width, false);
    return context_.options.unchecked ? builder_.select(inside, value, integer(0)) : value;
}

/// A choice whose sides need no statements is a Select. Chains `a ? b : c ? d : …` are walked with
/// a list.
ir::ExprId BodyLowering::lower(const hir::ConditionalExpr& node, const hir::Expr& expr) {
    if (isAggregate(context_.types(), expr.type))
        throw InternalError("a choice between aggregates is no scalar", expr.range);
    struct Choice {
        ir::ExprId condition, yes;
        ir::Block yesBlock, noBlock;
    };
    std::deque<Choice> choices;
    ir::Block* outer = block_;
    const hir::ConditionalExpr* next = &node;
    hir::ExprId last;
    while (next) {
        Choice& choice = choices.emplace_back();
        choice.condition = scalar(next->condition);
        choice.yesBlock = capture([&] { choice.yes = scalar(next->yes); });
        block_ = &choice.noBlock;
        last = next->no;
        next = std::get_if<hir::ConditionalExpr>(&source_[last].node);
    }
    ir::ExprId value = scalar(last);
    for (; !choices.empty(); choices.pop_back()) {
        Choice& choice = choices.back();
        block_ = choices.size() == 1 ? outer : &choices[choices.size() - 2].noBlock;
        if (choice.yesBlock.empty() && choice.noBlock.empty()) {
            value = builder_.select(choice.condition, choice.yes, value);
            continue;
        }
        const ir::LocalId result = tempFor(choice.yes, value);
        choice.yesBlock.push_back({expr.range, ir::Set{result, {}, choice.yes}});
        choice.noBlock.push_back({expr.range, ir::Set{result, {}, value}});
        emit(expr.range,
             ir::If{choice.condition, std::move(choice.yesBlock), std::move(choice.noBlock)});
        value = builder_.read(result);
    }
    return value;
}

ir::ExprId BodyLowering::logical(bool isAnd, ir::ExprId left, hir::ExprId right,
                                 SourceRange range) {
    ir::ExprId value;
    ir::Block block = capture([&] { value = scalar(right); });
    if (block.empty())
        return builder_.binary(isAnd ? ir::BinaryOp::BoolAnd : ir::BinaryOp::BoolOr, left, value);
    const ir::LocalId result = temp({ir::ScalarKind::Bool, false, 1});
    block.push_back({range, ir::Set{result, {}, value}});
    ir::Block skip;
    skip.push_back({range, ir::Set{result, {}, builder_.constant(!isAnd)}});
    if (!isAnd) std::swap(block, skip);
    emit(range, ir::If{left, std::move(block), std::move(skip)});
    return builder_.read(result);
}

ir::ExprId BodyLowering::lower(const hir::CallExpr& node, const hir::Expr& expr) {
    const hir::TypeId type = context_.hir.functions[node.function.index].result;
    ir::Call call = prepareCall(node);
    const ir::LocalId result = temp(context_.out.functions[call.function.index].results[0].scalar);
    body_.locals[result.index].range = context_.trustedRange(type);
    call.results = {result};
    emit(expr.range, std::move(call));
    return builder_.read(result);
}

/// The result in temporaries.
Part BodyLowering::callForPart(const hir::CallExpr& node, const hir::Expr& expr) {
    ir::Call call = prepareCall(node);
    const std::vector<ir::LocalId>& results = tempsFor(expr.type);
    call.results = results;
    emit(expr.range, std::move(call));
    return {Part::Locals{&results}, expr.type, expr.type, 0, {}, {}, {}};
}

ir::Call BodyLowering::prepareCall(const hir::CallExpr& node) {
    const hir::Function& callee = context_.hir.functions[node.function.index];
    ir::Call call{{}, lowerFunction(context_, {node.function.index}, shape_, sites_), {}};
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
        const hir::TypeId type = callee.body.vars[i].type;
        const hir::ExprId argument = node.arguments[i];
        if (!isAggregate(context_.types(), type)) {
            call.args.push_back(fit(scalar(argument), type, source_[argument].range));
            continue;
        }
        const SourceRange outer = std::exchange(storedAt_, {});
        const Part value = ownPart(argument);
        storedAt_ = outer;
        const std::size_t leaves = context_.layouts.of(type).size();
        for (std::uint32_t leaf = 0; leaf < leaves; ++leaf)
            call.args.push_back(builder_.read(localsOf(value)[value.leaf + leaf]));
    }
    const ir::Function& function = context_.out.functions[call.function.index];
    usesOwner_ = usesOwner_ || function.owner.valid();
    mayFail_ = mayFail_ || function.mayFail;
    mayTrace_ = mayTrace_ || function.mayTrace;
    return call;
}

// ---------------------------------------------------------------- casts

ir::ExprId BodyLowering::castToFloat(ir::ExprId value, ir::ExprType to) {
    const ir::ExprType from = body_[value].type;
    if (from == to) return value;
    if (to == ir::ExprType::Int || to == ir::ExprType::Bool) return value;
    if (from == ir::ExprType::Bool)
        value = builder_.convert(ir::ConvertOp::BoolToInt, value, ir::ExprType::Int);
    const bool isFloat = from == ir::ExprType::F32 || from == ir::ExprType::F64;
    return builder_.convert(isFloat ? ir::ConvertOp::FloatToFloat : ir::ConvertOp::IntToFloat,
                            value, to);
}

ir::ExprId BodyLowering::castToInt(ir::ExprId value, hir::TypeId to, SourceRange range) {
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
        value = builder_.binary(ir::BinaryOp::Min, value, integer(context_.types().maximum(to)));
        return builder_.binary(ir::BinaryOp::Max, value, integer(context_.types().minimum(to)));
    }
    }
    return fit(value, to, range);
}

ir::ExprId BodyLowering::castToEnum(ir::ExprId value, hir::TypeId to, SourceRange range) {
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
        ok = builder_.binary(ir::BinaryOp::BoolOr, ok, within(value, numbers[i], numbers[last]));
        i = last + 1;
    }
    if (!context_.options.unchecked)
        check(ok, failSite(ir::FailureKind::EnumValue, range, type.name), {value}, range);
    return builder_.wrap(value, type.width, type.isSigned);
}

ir::ExprId BodyLowering::lower(const hir::CastExpr& node, const hir::Expr& expr) {
    const ir::ExprId value = scalar(node.operand);
    const ir::ExprType from = body_[value].type;
    if (context_.types().as<hir::EnumType>(expr.type)) {
        return expr.type == typeOf(node.operand) ? value : castToEnum(value, expr.type, expr.range);
    }
    const ir::ExprType to = exprTypeOf(context_.types(), expr.type);
    if (to == ir::ExprType::Int) return castToInt(value, expr.type, expr.range);
    if (to != ir::ExprType::Bool) return castToFloat(value, to);
    if (from == ir::ExprType::Bool) return value;
    if (from == ir::ExprType::Int)
        return builder_.convert(ir::ConvertOp::IntToBool, value, ir::ExprType::Bool);
    return builder_.binary(ir::BinaryOp::FNe, value, builder_.constant(0.0, from));
}

}  // namespace smec::lower
