#include "ir/builder.h"

#include <bit>

#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/operators.h"
#include "ir/simplify.h"
#include "ir/visit.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

namespace smec::ir {

namespace {

/// Parts of a node as plain numbers; equal parts and equal type mean equal expressions.
struct Parts {
    std::size_t kind = 0;
    std::uint64_t a = 0, b = 0, c = 0;
    const Integer* value = nullptr;
};

Parts partsOf(const Expr& expr) {
    Parts p{expr.node.index(), 0, 0, 0, nullptr};
    auto bits = [](auto x) { return static_cast<std::uint64_t>(x); };
    smec::visit(
        Overloaded{
            [&](const ConstInt& n) { p.value = &n.value; },
            [&](const ConstBool& n) { p.a = n.value; },
            [&](const ConstFloat& n) { p.a = std::bit_cast<std::uint64_t>(n.value); },
            [&](const ReadColumn& n) { p.a = n.column; },
            [&](const ReadInput& n) { p.a = n.input, p.b = n.element.index, p.c = n.index.index; },
            [&](const ReadLocal& n) { p.a = n.local.index, p.b = n.index.index; },
            [&](const ReadTable& n) { p.a = n.table.index, p.b = n.index.index; },
            [&](const Cycle&) {},
            [&](const Seed&) {},
            [&](const Unary& n) { p.a = bits(n.op), p.b = n.operand.index; },
            [&](const Binary& n) { p.a = bits(n.op), p.b = n.left.index, p.c = n.right.index; },
            [&](const Select& n) { p.a = n.condition.index, p.b = n.yes.index, p.c = n.no.index; },
            [&](const Wrap& n) { p.a = n.operand.index, p.b = n.width, p.c = n.isSigned; },
            [&](const Convert& n) {
                p.a = bits(n.op), p.b = n.operand.index,
                p.c = (bits(n.width) << 1) | (n.isSigned ? 1U : 0U);
            },
        },
        expr.node);
    return p;
}

std::size_t contentHash(const Expr& expr) {
    const Parts p = partsOf(expr);
    std::size_t h = p.kind * 0x9E3779B97F4A7C15U + static_cast<std::size_t>(expr.type);
    for (std::uint64_t x : {p.a, p.b, p.c})
        h = (h ^ x) * 0x9E3779B97F4A7C15U + (h >> 29);
    if (p.value) h ^= boost::multiprecision::hash_value(*p.value);
    return h;
}

bool same(const Expr& x, const Expr& y) {
    if (x.type != y.type) return false;
    const Parts p = partsOf(x), q = partsOf(y);
    if (p.kind != q.kind || p.a != q.a || p.b != q.b || p.c != q.c) return false;
    return !p.value || *p.value == *q.value;
}

Interval ofTable(const Table& table) {
    std::optional<Interval> all;
    table.values.all([&](const Constant& constant) {
        const auto* value = std::get_if<Integer>(&constant.value);
        if (!value) return false;
        if (!all) all = Interval{*value, *value};
        if (*value < all->low) all->low = *value;
        if (*value > all->high) all->high = *value;
        return true;
    });
    return all ? *all : Interval{0, 0};
}

Interval ofLocal(LocalId id, const Body& body, const Leaves& leaves) {
    const Local& local = body.locals[id.index];
    if (leaves.locals && !local.type.isArray()) return (*leaves.locals)[id.index];
    return local.range ? *local.range : intervalOf(local.type.scalar);
}

Interval ofInput(const Input& input) {
    return input.range ? *input.range : intervalOf(input.type.scalar);
}

}  // namespace

Interval intervalOf(const Expr& expr, const Body& body, const Leaves& leaves,
                    const std::vector<Interval>& operands) {
    if (expr.type != ExprType::Int) return {0, 0};
    auto of = [&](ExprId id) -> const Interval& { return operands[id.index]; };
    return smec::visit(
        Overloaded{
            [&](const ConstInt& n) {
                return Interval{n.value, n.value};
            },
            [&](const ConstBool&) {
                return Interval{0, 1};
            },
            [&](const ConstFloat&) {
                return Interval{0, 0};
            },
            [&](const ReadColumn& n) {
                return leaves.columns ? (*leaves.columns)[n.column].range : unbounded();
            },
            [&](const ReadInput& n) {
                return leaves.inputs ? ofInput((*leaves.inputs)[n.input]) : unbounded();
            },
            [&](const ReadLocal& n) { return ofLocal(n.local, body, leaves); },
            [&](const ReadTable& n) {
                return leaves.tables ? ofTable((*leaves.tables)[n.table.index]) : unbounded();
            },
            [&](const AnyOf<Cycle, Seed> auto&) {
                return Interval{0, powerOfTwo(64) - 1};
            },
            [&](const Unary& n) { return apply(n.op, of(n.operand)); },
            [&](const Binary& n) { return apply(n.op, of(n.left), of(n.right)); },
            [&](const Select& n) { return hull(of(n.yes), of(n.no)); },
            [&](const Wrap& n) { return wrapInterval(of(n.operand), n.width, n.isSigned); },
            [&](const Convert& n) {
                if (n.op == ConvertOp::FloatToInt)
                    return intervalOf(Scalar{ScalarKind::Int, n.isSigned, n.width});
                return Interval{0, 1};
            },
        },
        expr.node);
}

Builder::Builder(Body& body) : Builder(body, {}) {}

Builder::Builder(Body& body, const Leaves& leaves) : body_(body), leaves_(leaves) {
    for (std::uint32_t i = 0; i < body_.exprs.size(); ++i) {
        intervals_.push_back(intervalOf(body_.exprs[i], body_, leaves_, intervals_));
        numbering_.emplace(contentHash(body_.exprs[i]), ExprId{i});
    }
}

ExprId Builder::number(Expr expr) {
    const std::size_t hash = contentHash(expr);
    auto [first, last] = numbering_.equal_range(hash);
    for (auto it = first; it != last; ++it) {
        if (same(body_[it->second], expr)) return it->second;
    }
    Interval range = intervalOf(expr, body_, leaves_, intervals_);
    if (expr.type == ExprType::Int && range.low == range.high
        && !std::holds_alternative<ConstInt>(expr.node)) {
        return constant(range.low);
    }
    const ExprId id{static_cast<std::uint32_t>(body_.exprs.size())};
    body_.exprs.push_back(std::move(expr));
    intervals_.push_back(std::move(range));
    numbering_.emplace(hash, id);
    return id;
}

ExprId Builder::add(Expr expr) {
    if (const auto simpler = simplify(*this, expr)) return *simpler;
    return number(std::move(expr));
}

ExprType exprTypeOf(const Scalar& scalar) {
    switch (scalar.kind) {
    case ScalarKind::Bool: return ExprType::Bool;
    case ScalarKind::F32: return ExprType::F32;
    case ScalarKind::F64: return ExprType::F64;
    case ScalarKind::Int: break;
    }
    return ExprType::Int;
}

ExprId Builder::constant(const Integer& value) { return number({ExprType::Int, ConstInt{value}}); }
ExprId Builder::constant(bool value) { return number({ExprType::Bool, ConstBool{value}}); }
ExprId Builder::constant(double value, ExprType type) { return number({type, ConstFloat{value}}); }
ExprId Builder::read(LocalId local, ExprId index) {
    const Scalar& scalar = body_.locals[local.index].type.scalar;
    return number({exprTypeOf(scalar), ReadLocal{local, index}});
}

ExprId Builder::unary(UnaryOp op, ExprId operand) {
    ExprType type = body_[operand].type;
    if (op == UnaryOp::Parity) type = ExprType::Bool;
    return add({type, Unary{op, operand}});
}

ExprId Builder::binary(BinaryOp op, ExprId left, ExprId right) {
    ExprType type = body_[left].type;
    if (isIntegerComparison(op) || isFloatComparison(op)) type = ExprType::Bool;
    return add({type, Binary{op, left, right}});
}

ExprId Builder::select(ExprId condition, ExprId yes, ExprId no) {
    return add({body_[yes].type, Select{condition, yes, no}});
}

ExprId Builder::wrap(ExprId operand, std::uint32_t width, bool isSigned) {
    return add({ExprType::Int, Wrap{operand, width, isSigned}});
}

ExprId Builder::convert(ConvertOp op, ExprId operand, ExprType type, std::uint32_t width,
                        bool isSigned) {
    return add({type, Convert{op, operand, width, isSigned}});
}

const Interval& Builder::interval(ExprId expr) const {
    require(expr.index < intervals_.size(),
            "interval of an expression that the builder did not build");
    return intervals_[expr.index];
}

const Integer* Builder::integer(ExprId expr) const {
    const auto* node = std::get_if<ConstInt>(&body_[expr].node);
    return node ? &node->value : nullptr;
}

const bool* Builder::boolean(ExprId expr) const {
    const auto* node = std::get_if<ConstBool>(&body_[expr].node);
    return node ? &node->value : nullptr;
}

}  // namespace smec::ir
