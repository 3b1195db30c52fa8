#include "hdl/expressions.h"

#include <algorithm>
#include <utility>

#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

namespace smec::hdl {

using namespace ir;

namespace {

bool isRead(const ir::Expr& expr) {
    return smec::visit(
        Overloaded{
            [](const AnyOf<ReadColumn, ReadInput, ReadLocal, ReadTable, Cycle> auto&) {
                return true;
            },
            [](const AnyOf<ConstInt, ConstBool, ConstFloat, Seed, Unary, Binary, Select, Wrap,
                           Convert> auto&) { return false; },
        },
        expr.node);
}

bool isModular(const ir::Expr& expr) {
    return smec::visit(
        Overloaded{
            [](const AnyOf<Wrap, Select> auto&) { return true; },
            [](const AnyOf<Unary, Binary> auto& n) {
                return kindOf(n.op) == OperatorKind::Modular;
            },
            [](const AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, ReadInput, ReadLocal,
                           ReadTable, Cycle, Seed, Convert> auto&) { return false; },
        },
        expr.node);
}

}  // namespace

Expressions::Expressions(const Body& body, const std::vector<Input>& inputs,
                         std::vector<Interval> values, std::vector<std::uint32_t> demanded,
                         ModuleBuilder& builder, Leaves& leaves)
    : body_(body),
      inputs_(inputs),
      values_(std::move(values)),
      demanded_(std::move(demanded)),
      builder_(builder),
      leaves_(leaves),
      sharing_(body, builder, leaves),
      bitFields_(body, values_, builder, leaves, sharing_, *this),
      operators_(body, builder, sharing_, *this) {}

// ---------------------------------------------------------------- leaves

ExprId Expressions::inputPlace(const ReadInput& node) {
    const Input& input = inputs_[node.input];
    const std::uint64_t length = input.type.elements();
    const std::uint64_t count = input.elements.size() * length;
    if (count == 1 && !input.type.isArray()) return {};
    const Type place = unsignedType(indexWidth(count));
    const ExprId inner =
        node.index.valid() ? low(node.index, place.width) : builder_.constant(0, place);
    if (!node.element.valid()) return inner;
    const ExprId outer = low(node.element, place.width);
    if (length == 1) return outer;
    if (const Integer* number = builder_.known(outer)) {
        if (const Integer* second = builder_.known(inner))
            return builder_.constant(*number * length + *second, place);
    }
    const ExprId start =
        builder_.make(Op::Mul, place, outer, builder_.constant(Integer(length), place));
    return builder_.make(Op::Add, place, start, inner);
}

ExprId Expressions::leaf(const ir::Expr& expr) {
    return smec::visit(
        Overloaded{
            [&](const ReadLocal& n) {
                const std::uint64_t count = body_.locals[n.local.index].type.elements();
                return leaves_.local(n.local, n.index.valid() ? index(n.index, count) : ExprId{});
            },
            [&](const ReadInput& n) { return leaves_.input(n.input, inputPlace(n)); },
            [&](const ReadColumn& n) { return leaves_.column(n.column); },
            [&](const ReadTable& n) { return leaves_.table(n.table, exact(n.index)); },
            [&](const Cycle&) { return leaves_.cycle(); },
            [](const AnyOf<ConstInt, ConstBool, ConstFloat, Seed, Unary, Binary, Select, Wrap,
                           Convert> auto&) -> ExprId {
                throw InternalError("a leaf that hardware does not have");
            },
        },
        expr.node);
}

ExprId Expressions::index(ir::ExprId id, std::uint64_t count) { return low(id, indexWidth(count)); }

// ---------------------------------------------------------------- integers

Type Expressions::exactType(ir::ExprId id) {
    if (isRead(body_[id])) return builder_.type(exact(id));
    return narrowType(id);
}

Type Expressions::narrowType(ir::ExprId id) const { return typeOf(values_[id.index]); }

ExprId Expressions::exact(ir::ExprId id) {
    if (const ExprId* known = sharing_.find(id)) return *known;
    const ExprId value = sharing_.shared(id, makeExact(body_[id], id));
    sharing_.keep(id, value);
    return value;
}

ExprId Expressions::as(ir::ExprId id, const Type& type) { return builder_.resize(exact(id), type); }

ExprId Expressions::makeExact(const ir::Expr& expr, ir::ExprId id) {
    const Type type = narrowType(id);
    const auto fromBits = [&] { return builder_.resize(modular(expr, id, type.width), type); };
    return smec::visit(
        Overloaded{
            [&](const AnyOf<ReadColumn, ReadInput, ReadLocal, ReadTable, Cycle> auto&) {
                return leaf(expr);
            },
            [&](const ConstInt& n) { return builder_.constant(n.value, type); },
            [&](const Convert& n) {
                require(n.op == ConvertOp::BoolToInt, "a conversion that hardware does not have");
                return builder_.resize(boolean(n.operand), type);
            },
            [&](const Unary& n) { return operators_.exact(n, type); },
            [&](const Binary& n) {
                return kindOf(n.op) == OperatorKind::Modular ? fromBits()
                                                             : operators_.whole(n, type);
            },
            [&](const AnyOf<Select, Wrap> auto&) { return fromBits(); },
            [](const AnyOf<ConstBool, ConstFloat, Seed> auto&) -> ExprId {
                throw InternalError("an integer that hardware does not have");
            },
        },
        expr.node);
}

ExprId Expressions::modular(const ir::Expr& expr, ir::ExprId id, std::uint32_t width) {
    const Type type = unsignedType(width);
    if (const auto found = bitFields_.bitsBeside(id, width)) return *found;
    return smec::visit(
        Overloaded{
            [&](const Wrap& n) {
                if (width <= n.width) return low(n.operand, width);
                return builder_.resize(as(id, narrowType(id)), type);
            },
            [&](const Select& n) {
                const ExprId condition = boolean(n.condition);
                const ExprId yes = low(n.yes, width);
                return builder_.make(Op::Choose, type, condition, yes, low(n.no, width));
            },
            [&](const Unary& n) { return operators_.modular(n, type); },
            [&](const Binary& n) { return operators_.modular(n, width); },
            [](const AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, ReadInput, ReadLocal,
                           ReadTable, Cycle, Seed, Convert> auto&) -> ExprId {
                throw InternalError("a node that is not modular");
            },
        },
        expr.node);
}

ExprId Expressions::low(ir::ExprId id, std::uint32_t width) {
    const ir::Expr& expr = body_[id];
    if (const auto* constant = std::get_if<ConstInt>(&expr.node))
        return builder_.constant(constant->value, unsignedType(width));
    if (sharing_.find(id) || !isModular(expr)) return as(id, unsignedType(width));
    if (width >= narrowType(id).width) return as(id, unsignedType(width));
    if (!sharing_.isUsedTwice(id)) return modular(expr, id, width);
    const std::uint32_t wanted = std::min(demanded_[id.index], narrowType(id).width);
    const std::uint32_t together = std::max(wanted, width);
    if (together >= narrowType(id).width) return as(id, unsignedType(width));
    const ExprId value = sharing_.shared(id, modular(expr, id, together));
    if (builder_.module()[value].op == Op::Ref) sharing_.keep(id, value);
    return builder_.resize(value, unsignedType(width));
}

ExprId Expressions::stored(ir::ExprId id, const Type& type) {
    if (type.isBool) return boolean(id);
    return builder_.resize(low(id, type.width), type);
}

// ---------------------------------------------------------------- bools

ExprId Expressions::boolean(ir::ExprId id) {
    if (const ExprId* known = sharing_.find(id)) return *known;
    const ExprId value = sharing_.shared(id, makeBoolean(body_[id]));
    sharing_.keep(id, value);
    return value;
}

ExprId Expressions::makeBoolean(const ir::Expr& expr) {
    return smec::visit(
        Overloaded{
            [&](const AnyOf<ReadColumn, ReadInput, ReadLocal, ReadTable, Cycle> auto&) {
                return leaf(expr);
            },
            [&](const ConstBool& n) { return builder_.constant(n.value ? 1 : 0, kBool); },
            [&](const Select& n) {
                const ExprId condition = boolean(n.condition);
                const ExprId yes = boolean(n.yes);
                return builder_.make(Op::Choose, kBool, condition, yes, boolean(n.no));
            },
            [&](const Convert& n) {
                const ExprId value = exact(n.operand);
                const Type type = builder_.type(value);
                if (type.width == 1) return builder_.resize(value, kBool);
                return builder_.make(Op::Ne, kBool, value, builder_.constant(0, type));
            },
            [&](const Unary& n) { return operators_.boolean(n); },
            [&](const Binary& n) { return operators_.boolean(n); },
            [](const AnyOf<ConstInt, ConstFloat, Seed, Wrap> auto&) -> ExprId {
                throw InternalError("a condition that hardware does not have");
            },
        },
        expr.node);
}

}  // namespace smec::hdl
