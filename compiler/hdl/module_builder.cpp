#include "hdl/module_builder.h"

#include <algorithm>

#include "ir/arithmetic.h"

namespace smec::hdl {

Type typeOf(const ir::Interval& interval) {
    const bool isSigned = interval.low < 0;
    return {std::max(ir::bitsOf(interval, isSigned), 1U), isSigned, false};
}

Type typeOf(const ir::Scalar& scalar) {
    return {scalar.width, scalar.isSigned, scalar.kind == ir::ScalarKind::Bool};
}

std::string hex(const Integer& value) {
    std::string digits;
    Integer rest = value;
    do {
        digits.insert(digits.begin(), "0123456789abcdef"[static_cast<unsigned>(rest & 15)]);
        rest >>= 4;
    } while (rest != 0);
    return digits;
}

std::uint32_t indexWidth(std::uint64_t count) {
    return count <= 1 ? 1 : ir::bitLength(Integer(count - 1));
}

SignalId ModuleBuilder::signal(const std::string& wanted, Signal signal) {
    signal.name = names_.take(wanted);
    return add(std::move(signal));
}

SignalId ModuleBuilder::add(Signal signal) {
    module_.signals.push_back(std::move(signal));
    return {static_cast<std::uint32_t>(module_.signals.size() - 1)};
}

ExprId ModuleBuilder::add(Expr expr) {
    module_.exprs.push_back(std::move(expr));
    return {static_cast<std::uint32_t>(module_.exprs.size() - 1)};
}

ExprId ModuleBuilder::constant(const Integer& value, Type type) {
    Expr expr;
    expr.type = type;
    expr.value = ir::wrapInteger(value, type.width, type.isSigned);
    return add(std::move(expr));
}

ExprId ModuleBuilder::ref(SignalId signal) {
    Expr expr;
    expr.op = Op::Ref;
    expr.type = module_[signal].type;
    expr.signal = signal;
    return add(std::move(expr));
}

ExprId ModuleBuilder::element(SignalId signal, ExprId index) {
    Expr expr;
    expr.op = Op::Element;
    expr.type = module_[signal].type;
    expr.signal = signal;
    expr.args[0] = index;
    return add(std::move(expr));
}

ExprId ModuleBuilder::slice(SignalId id, ExprId index, std::uint32_t low, Type type) {
    Expr expr;
    expr.op = Op::Slice;
    expr.type = type;
    expr.signal = id;
    expr.args[0] = index;
    expr.low = low;
    return add(std::move(expr));
}

/// Of a scalar or an element.
ExprId ModuleBuilder::part(ExprId name, ExprId first, Type type) {
    Expr expr;
    expr.op = Op::Part;
    expr.type = type;
    expr.signal = module_[name].signal;
    expr.args = {module_[name].args[0], first, {}};
    return add(std::move(expr));
}

ExprId ModuleBuilder::concat(ExprId high, ExprId low) {
    return make(Op::Concat, {type(high).width + type(low).width, false, false}, high, low);
}

ExprId ModuleBuilder::repeat(ExprId id, std::uint32_t count) {
    if (count == 1) return id;
    Expr expr;
    expr.op = Op::Repeat;
    expr.type = {type(id).width * count, false, false};
    expr.args[0] = id;
    expr.low = count;
    return add(std::move(expr));
}

ExprId ModuleBuilder::resize(ExprId id, Type type) {
    const Expr& from = module_[id];
    if (from.type == type) return id;
    if (from.op == Op::Const) return constant(from.value, type);
    if (from.type.width >= type.width && from.op == Op::Ref && !from.type.isBool) {
        if (from.type.width > type.width) return slice(from.signal, {}, 0, type);
    }
    if (from.type.width > type.width && (from.op == Op::Slice || from.op == Op::Element))
        return slice(from.signal, from.args[0], from.low, type);
    Expr expr;
    expr.op = Op::Resize;
    expr.type = type;
    expr.args[0] = id;
    return add(std::move(expr));
}

/// What is known of an operation with a constant on one side: tools warn of it.
std::optional<Integer> ModuleBuilder::knownOf(Op op, const Type& type, ExprId a, ExprId b) const {
    const auto isZero = [&](ExprId id) { return id.valid() && known(id) && *known(id) == 0; };
    const Integer* right = b.valid() ? known(b) : nullptr;
    const bool isSigned = module_[a].type.isSigned;
    switch (op) {
    case Op::And:
        if (isZero(a) || isZero(b)) return 0;
        break;
    case Op::Shl:
        if (right && *right >= type.width) return 0;
        break;
    case Op::Shr:
        if (right && *right >= type.width && !isSigned) return 0;
        break;
    case Op::Le:
        if (isZero(a) && !isSigned) return 1;
        break;
    case Op::Lt:
        if (isZero(b) && !isSigned) return 0;
        break;
    case Op::Const:
    case Op::Ref:
    case Op::Element:
    case Op::Slice:
    case Op::Part:
    case Op::Concat:
    case Op::Repeat:
    case Op::Resize:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Or:
    case Op::Xor:
    case Op::Complement:
    case Op::Negate:
    case Op::Div:
    case Op::Rem:
    case Op::Eq:
    case Op::Ne:
    case Op::LogicalAnd:
    case Op::LogicalOr:
    case Op::LogicalNot:
    case Op::Choose:
    case Op::Popcount:
    case Op::Parity: break;
    }
    return std::nullopt;
}

ExprId ModuleBuilder::make(Op op, Type type, ExprId a, ExprId b, ExprId c) {
    if (const auto value = knownOf(op, type, a, b)) return constant(*value, type);
    Expr expr;
    expr.op = op;
    expr.type = type;
    expr.args = {a, b, c};
    return add(std::move(expr));
}

ExprId ModuleBuilder::logicalNot(ExprId id) {
    const Expr& from = module_[id];
    if (from.op == Op::LogicalNot) return from.args[0];
    if (from.op == Op::Eq || from.op == Op::Ne)
        return make(from.op == Op::Eq ? Op::Ne : Op::Eq, from.type, from.args[0], from.args[1]);
    return make(Op::LogicalNot, {1, false, true}, id);
}

}  // namespace smec::hdl
