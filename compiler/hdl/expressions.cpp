#include "hdl/expressions.h"

#include <algorithm>
#include <utility>

#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/visit.h"
#include "source/internal_error.h"

namespace smec::hdl {

using namespace ir;

namespace {

constexpr std::size_t kReadable = 40;  ///< operators of an expression on one line
constexpr Type kBool{1, false, true};
constexpr std::uint32_t kWidestCount = 31;  ///< bits of a count of a shift

Type bits(std::uint32_t width) { return {width, false, false}; }

bool isRead(const ir::Expr& expr) {
    return std::visit(
        Overloaded{
            [](const AnyOf<ReadColumn, ReadInput, ReadLocal, ReadTable, Cycle> auto&) {
                return true;
            },
            [](const AnyOf<ConstInt, ConstBool, ConstFloat, Seed, Unary, Binary, Select, Wrap,
                           Convert> auto&) { return false; },
        },
        expr.node);
}

/// Operators whose low bits depend on the low bits of their operands only.
bool isModular(BinaryOp op) {
    return op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul || op == BinaryOp::And
           || op == BinaryOp::Or || op == BinaryOp::Xor || op == BinaryOp::Shl;
}

bool isModular(const ir::Expr& expr) {
    return std::visit(
        Overloaded{
            [](const AnyOf<Wrap, Select> auto&) { return true; },
            [](const Unary& n) { return n.op == UnaryOp::Neg || n.op == UnaryOp::BitNot; },
            [](const Binary& n) { return isModular(n.op); },
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
      uses_(body.exprs.size(), 0) {}

void Expressions::begin(const std::vector<ir::ExprId>& roots) {
    held_.clear();
    std::fill(uses_.begin(), uses_.end(), 0);
    std::vector<ir::ExprId> todo = roots;
    while (!todo.empty()) {
        const ir::ExprId id = todo.back();
        todo.pop_back();
        if (uses_[id.index]++ != 0) continue;
        forEachOperand(body_[id], [&](ir::ExprId operand) { todo.push_back(operand); });
    }
}

std::size_t Expressions::sizeOf(ExprId id) {
    for (std::size_t i = sizes_.size(); i <= id.index; ++i) {
        const Expr& expr = builder_.module().exprs[i];
        std::size_t size =
            expr.op == Op::Const || expr.op == Op::Ref || expr.op == Op::Slice ? 0 : 1;
        for (const ExprId arg : expr.args)
            if (arg.valid()) size += sizes_[arg.index];
        sizes_.push_back(size);
    }
    return sizes_[id.index];
}

/// What is used several times, and has operators, is computed once.
ExprId Expressions::held(ir::ExprId id, ExprId value) {
    const std::size_t size = sizeOf(value);
    const Op op = builder_.module()[value].op;
    if (size == 0 || (size == 1 && (op == Op::Resize || op == Op::LogicalNot))) return value;
    if (uses_[id.index] < 2 && size < kReadable) return value;
    return leaves_.hold(value);
}

ExprId Expressions::small(ExprId value) { return sizeOf(value) > 1 ? leaves_.hold(value) : value; }

// ---------------------------------------------------------------- leaves

ExprId Expressions::inputPlace(const ReadInput& node) {
    const Input& input = inputs_[node.input];
    const std::uint64_t length = input.type.elements();
    const std::uint64_t count = input.elements.size() * length;
    if (count == 1 && !input.type.isArray()) return {};
    const Type place = bits(indexWidth(count));
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
    return std::visit(
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
    return typeOf(values_[id.index]);
}

ExprId Expressions::exact(ir::ExprId id) {
    const auto known = held_.find(id.index);
    if (known != held_.end()) return known->second;
    const ExprId value = held(id, makeExact(body_[id], id));
    held_[id.index] = value;
    return value;
}

ExprId Expressions::asType(ir::ExprId id, const Type& type) {
    return builder_.resize(exact(id), type);
}

ExprId Expressions::makeExact(const ir::Expr& expr, ir::ExprId id) {
    const Type type = typeOf(values_[id.index]);
    const auto fromBits = [&] { return builder_.resize(modular(expr, id, type.width), type); };
    return std::visit(
        Overloaded{
            [&](const AnyOf<ReadColumn, ReadInput, ReadLocal, ReadTable, Cycle> auto&) {
                return leaf(expr);
            },
            [&](const ConstInt& n) { return builder_.constant(n.value, type); },
            [&](const Convert& n) {
                require(n.op == ConvertOp::BoolToInt, "a conversion that hardware does not have");
                return builder_.resize(boolean(n.operand), type);
            },
            [&](const Unary& n) { return unary(n, type); },
            [&](const Binary& n) {
                switch (n.op) {
                case BinaryOp::Div:
                case BinaryOp::Mod: return divide(n, type);
                case BinaryOp::Shr: return shiftRight(n, type);
                case BinaryOp::Min:
                case BinaryOp::Max: return extreme(n, type);
                default: return fromBits();
                }
            },
            [&](const AnyOf<Select, Wrap> auto&) { return fromBits(); },
            [](const AnyOf<ConstBool, ConstFloat, Seed> auto&) -> ExprId {
                throw InternalError("an integer that hardware does not have");
            },
        },
        expr.node);
}

ExprId Expressions::modular(const ir::Expr& expr, ir::ExprId id, std::uint32_t width) {
    const Type type = bits(width);
    if (const auto found = bitsBeside(id, width)) return *found;
    return std::visit(
        Overloaded{
            [&](const Wrap& n) {
                if (width <= n.width) return low(n.operand, width);
                return builder_.resize(asType(id, typeOf(values_[id.index])), type);
            },
            [&](const Select& n) {
                const ExprId condition = boolean(n.condition);
                const ExprId yes = low(n.yes, width);
                return builder_.make(Op::Choose, type, condition, yes, low(n.no, width));
            },
            [&](const Unary& n) {
                const Op op = n.op == UnaryOp::Neg ? Op::Negate : Op::Complement;
                return builder_.make(op, type, low(n.operand, width));
            },
            [&](const Binary& n) { return modular(n, width); },
            [](const AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, ReadInput, ReadLocal,
                           ReadTable, Cycle, Seed, Convert> auto&) -> ExprId {
                throw InternalError("a node that is not modular");
            },
        },
        expr.node);
}

ExprId Expressions::modular(const Binary& node, std::uint32_t width) {
    Op op{};
    switch (node.op) {
    case BinaryOp::Add: op = Op::Add; break;
    case BinaryOp::Sub: op = Op::Sub; break;
    case BinaryOp::Mul: op = Op::Mul; break;
    case BinaryOp::And: op = Op::And; break;
    case BinaryOp::Or: op = Op::Or; break;
    case BinaryOp::Xor: op = Op::Xor; break;
    case BinaryOp::Shl: op = Op::Shl; break;
    default: throw InternalError("an operator that is not modular");
    }
    const ExprId left = low(node.left, width);
    return builder_.make(op, bits(width), left,
                         op == Op::Shl ? shiftCount(node.right, width) : low(node.right, width));
}

// ---------------------------------------------------------------- bits side by side

std::optional<ExprId> Expressions::bitsBeside(ir::ExprId id, std::uint32_t width) {
    if (const auto* wrapped = std::get_if<Wrap>(&body_[id].node))
        return width <= wrapped->width ? part(*wrapped, width) : std::nullopt;
    if (const auto row = ir::repeated(body_, values_, id)) return repeat(*row, width);
    if (const auto two = ir::beside(body_, values_, id)) return concat(*two, width);
    if (!std::holds_alternative<Binary>(body_[id].node)) return std::nullopt;
    const std::uint32_t all = typeOf(values_[id.index]).width;
    const auto put = ir::inserted(body_, values_, id, all);
    const bool isKnown = put && put->value.valid() && !put->place.valid();
    return isKnown ? std::optional(insert(*put, width)) : std::nullopt;
}

ExprId Expressions::concat(const Beside& node, std::uint32_t width) {
    if (width <= node.width) return low(node.low, width);
    const Type above = bits(width - node.width);
    const ExprId high = node.isPlaced ? builder_.constant(
                            std::get<ConstInt>(body_[node.high].node).value >> node.width, above)
                                      : low(node.high, above.width);
    return builder_.concat(high, low(node.low, node.width));
}

ExprId Expressions::repeat(const Repeated& node, std::uint32_t width) {
    if (width <= node.width) return low(node.operand, width);
    const ExprId one = small(low(node.operand, node.width));
    const ExprId all = builder_.repeat(one, width / node.width);
    const std::uint32_t rest = width % node.width;
    return rest == 0 ? all : builder_.concat(builder_.resize(one, bits(rest)), all);
}

/// A scalar or an element of which bits can be taken from any place on.
ExprId Expressions::named(ExprId value) {
    const Expr& expr = builder_.module()[value];
    if (expr.op != Op::Ref && expr.op != Op::Element) return leaves_.hold(value);
    const Signal& signal = builder_.module()[expr.signal];
    const bool isOther = signal.isPacked || signal.role == Role::Counter
                         || signal.role == Role::Table || signal.type.width == 1;
    return isOther ? leaves_.hold(value) : value;
}

/// x[k +: w], where all of these bits are there whatever k is.
std::optional<ExprId> Expressions::part(const Wrap& node, std::uint32_t width) {
    const auto* shift = std::get_if<Binary>(&body_[node.operand].node);
    if (!shift || shift->op != BinaryOp::Shr || held_.contains(node.operand.index))
        return std::nullopt;
    if (std::holds_alternative<ConstInt>(body_[shift->right].node)) return std::nullopt;
    const Interval& first = values_[shift->right.index];
    if (first.low < 0 || first.high + width > exactType(shift->left).width) return std::nullopt;
    const ExprId whole = named(exact(shift->left));
    const std::uint32_t place = indexWidth(builder_.type(whole).width);
    return builder_.part(whole, low(shift->right, place), bits(width));
}

/// Bits of an unsigned value, which is a name or a constant.
ExprId Expressions::bitsFrom(ExprId value, std::uint32_t first, std::uint32_t width) {
    const Expr expr = builder_.module()[value];
    if (expr.op == Op::Const)
        return builder_.constant(wrapInteger(expr.value, expr.type.width, false) >> first,
                                 bits(width));
    const std::uint32_t low = expr.op == Op::Slice ? expr.low + first : first;
    return builder_.slice(expr.signal, expr.args[0], low, bits(width));
}

/// Parts beside one another.
ExprId Expressions::insert(const Inserted& node, std::uint32_t width) {
    ExprId whole = low(node.operand, width);
    if (node.low >= width) return whole;
    const Op op = builder_.module()[whole].op;
    if (op != Op::Ref && op != Op::Slice && op != Op::Element && op != Op::Const)
        whole = leaves_.hold(whole);
    const std::uint32_t end = std::min(node.low + node.width, width);
    const Type own = bits(end - node.low);
    ExprId result =
        node.isPlaced
            ? builder_.constant(std::get<ConstInt>(body_[node.value].node).value >> node.low, own)
            : low(node.value, own.width);
    if (node.low > 0) result = builder_.concat(result, bitsFrom(whole, 0, node.low));
    if (end < width) result = builder_.concat(bitsFrom(whole, end, width - end), result);
    return result;
}

ExprId Expressions::low(ir::ExprId id, std::uint32_t width) {
    const ir::Expr& expr = body_[id];
    if (const auto* constant = std::get_if<ConstInt>(&expr.node))
        return builder_.constant(constant->value, bits(width));
    if (held_.contains(id.index) || !isModular(expr)) return asType(id, bits(width));
    if (width >= typeOf(values_[id.index]).width) return asType(id, bits(width));
    if (uses_[id.index] < 2) return modular(expr, id, width);
    const std::uint32_t wanted = std::min(demanded_[id.index], typeOf(values_[id.index]).width);
    const std::uint32_t together = std::max(wanted, width);
    if (together >= typeOf(values_[id.index]).width) return asType(id, bits(width));
    const ExprId value = held(id, modular(expr, id, together));
    if (builder_.module()[value].op == Op::Ref) held_[id.index] = value;
    return builder_.resize(value, bits(width));
}

ExprId Expressions::stored(ir::ExprId id, const Type& type) {
    if (type.isBool) return boolean(id);
    return builder_.resize(low(id, type.width), type);
}

ExprId Expressions::unary(const Unary& node, const Type& type) {
    switch (node.op) {
    case UnaryOp::Neg:
    case UnaryOp::BitNot:
        return builder_.make(node.op == UnaryOp::Neg ? Op::Negate : Op::Complement, type,
                             low(node.operand, type.width));
    case UnaryOp::Abs: {
        const ExprId value = small(exact(node.operand));
        const Type own = builder_.type(value);
        const ExprId isLess = builder_.make(Op::Lt, kBool, value, builder_.constant(0, own));
        const ExprId same = builder_.resize(value, bits(type.width));
        const ExprId minus = builder_.make(Op::Negate, bits(type.width), same);
        if (!own.isSigned) return builder_.resize(value, type);
        return builder_.resize(builder_.make(Op::Choose, bits(type.width), isLess, minus, same),
                               type);
    }
    case UnaryOp::Popcount: return builder_.make(Op::Popcount, type, exact(node.operand));
    default: throw InternalError("a unary operator that hardware does not have");
    }
}

namespace {

/// The smallest type that holds the values of both.
Type joined(Type x, Type y) {
    if (x.isSigned != y.isSigned) {
        Type& plain = x.isSigned ? y : x;
        plain = {plain.width + 1, true, false};
    }
    return x.width > y.width ? x : y;
}

}  // namespace

Type Expressions::common(ir::ExprId a, ir::ExprId b) { return joined(exactType(a), exactType(b)); }

/// Of as few bits as the values have: tools do not find out by themselves.
ExprId Expressions::divide(const Binary& node, const Type& type) {
    Type at = joined(typeOf(values_[node.left.index]), typeOf(values_[node.right.index]));
    if (type.isSigned && !at.isSigned) at = {at.width + 1, true, false};
    at.width = std::max(at.width, type.width + (at.isSigned && !type.isSigned ? 1 : 0));
    const Op op = node.op == BinaryOp::Div ? Op::Div : Op::Rem;
    const ExprId left = asType(node.left, at);
    return builder_.resize(builder_.make(op, at, left, asType(node.right, at)), type);
}

ExprId Expressions::shiftRight(const Binary& node, const Type& type) {
    const ExprId value = exact(node.left);
    const Type from = builder_.type(value);
    const Expr source = builder_.module()[value];
    const auto* count = std::get_if<ConstInt>(&body_[node.right].node);
    const bool isName = source.op == Op::Ref || source.op == Op::Slice;
    if (count && isName && !from.isBool && count->value < from.width) {
        const auto low = static_cast<std::uint32_t>(count->value);
        const std::uint32_t base = source.op == Op::Slice ? source.low : 0;
        const Type part{from.width - low, from.isSigned, false};
        return builder_.resize(builder_.slice(source.signal, source.args[0], base + low, part),
                               type);
    }
    const ExprId by = shiftCount(node.right, from.width);
    return builder_.resize(builder_.make(Op::Shr, from, value, by), type);
}

/// Of a number of so many bits. Tools refuse counts of more than 32 bits that they know, also those
/// that they find after a variable; larger ones than the width do what the largest here does.
ExprId Expressions::shiftCount(ir::ExprId id, std::uint32_t width) {
    const ExprId by = exact(id);
    const Type from = bits(builder_.type(by).width), type = bits(ir::bitLength(Integer(width)));
    if (from.width <= kWidestCount) return by;
    const Integer most = ir::powerOfTwo(type.width) - 1;
    if (const Integer* number = builder_.known(by))
        return builder_.constant(std::min(*number, most), type);
    const ExprId count = small(builder_.resize(by, from));
    const ExprId isLess = builder_.make(Op::Lt, kBool, count, builder_.constant(most, from));
    return builder_.make(Op::Choose, type, isLess, builder_.resize(count, type),
                         builder_.constant(most, type));
}

ExprId Expressions::extreme(const Binary& node, const Type& type) {
    const Type at = common(node.left, node.right);
    const ExprId left = small(asType(node.left, at)), right = small(asType(node.right, at));
    const ExprId isLess = builder_.make(Op::Lt, kBool, left, right);
    const bool isMin = node.op == BinaryOp::Min;
    return builder_.resize(
        builder_.make(Op::Choose, at, isLess, isMin ? left : right, isMin ? right : left), type);
}

// ---------------------------------------------------------------- bools

ExprId Expressions::compare(const Binary& node) {
    const Type at = common(node.left, node.right);
    Op op{};
    switch (node.op) {
    case BinaryOp::Lt: op = Op::Lt; break;
    case BinaryOp::Le: op = Op::Le; break;
    case BinaryOp::Eq: op = Op::Eq; break;
    case BinaryOp::Ne: op = Op::Ne; break;
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Mod:
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor:
    case BinaryOp::Min:
    case BinaryOp::Max:
    case BinaryOp::BoolAnd:
    case BinaryOp::BoolOr:
    case BinaryOp::BoolXor:
    case BinaryOp::BoolEq:
    case BinaryOp::FAdd:
    case BinaryOp::FSub:
    case BinaryOp::FMul:
    case BinaryOp::FDiv:
    case BinaryOp::FLt:
    case BinaryOp::FLe:
    case BinaryOp::FEq:
    case BinaryOp::FNe:
    case BinaryOp::FMin:
    case BinaryOp::FMax: throw InternalError("an operator that compares no integers");
    }
    const ExprId left = asType(node.left, at);
    return builder_.make(op, kBool, left, asType(node.right, at));
}

ExprId Expressions::boolean(ir::ExprId id) {
    const auto known = held_.find(id.index);
    if (known != held_.end()) return known->second;
    const ExprId value = held(id, makeBoolean(body_[id]));
    held_[id.index] = value;
    return value;
}

ExprId Expressions::makeBoolean(const ir::Expr& expr) {
    return std::visit(
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
            [&](const Unary& n) {
                if (n.op == UnaryOp::Not) return builder_.logicalNot(boolean(n.operand));
                require(n.op == UnaryOp::Parity, "a unary operator that gives no bool");
                return builder_.make(Op::Parity, kBool, exact(n.operand));
            },
            [&](const Binary& n) { return makeBoolean(n); },
            [](const AnyOf<ConstInt, ConstFloat, Seed, Wrap> auto&) -> ExprId {
                throw InternalError("a condition that hardware does not have");
            },
        },
        expr.node);
}

ExprId Expressions::makeBoolean(const Binary& node) {
    switch (node.op) {
    case BinaryOp::BoolAnd:
    case BinaryOp::BoolOr: {
        const ExprId left = boolean(node.left);
        return builder_.make(node.op == BinaryOp::BoolAnd ? Op::LogicalAnd : Op::LogicalOr, kBool,
                             left, boolean(node.right));
    }
    case BinaryOp::BoolXor:
    case BinaryOp::BoolEq: {
        const ExprId left = boolean(node.left);
        return builder_.make(node.op == BinaryOp::BoolXor ? Op::Ne : Op::Eq, kBool, left,
                             boolean(node.right));
    }
    default: return compare(node);
    }
}

}  // namespace smec::hdl
