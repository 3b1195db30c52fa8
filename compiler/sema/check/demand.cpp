#include <algorithm>

#include "sema/check/body_builder.h"
#include "sema/operand_types.h"
#include "source/overloaded.h"

// An intermediate of which more than kMaxBits bits are needed is an error. `x << n` stored in a u8
// needs eight bits of it; compared with something it needs them all. Walks only expressions that
// hold such an intermediate.

namespace smec::sema {

namespace {

struct Wanted {
    hir::ExprId id;
    std::uint64_t bits;
};

std::uint64_t plus(std::uint64_t bits, std::uint64_t more) {
    return bits > UINT64_MAX - more ? UINT64_MAX : bits + more;
}

/// Bits of a non-negative constant, or all.
std::uint64_t maskBits(const hir::Expr& expr) {
    const hir::Constant* constant = std::get_if<hir::Constant>(&expr.node);
    const hir::Integer* value =
        constant ? std::get_if<hir::Integer>(&constant->value.data) : nullptr;
    return value && *value >= 0 ? hir::bitsFor(*value) : UINT64_MAX;
}

std::uint64_t shiftCount(const hir::Expr& expr, std::uint64_t otherwise) {
    const hir::Constant* constant = std::get_if<hir::Constant>(&expr.node);
    if (!constant) return otherwise;
    const hir::Integer& count = constant->value.integer();
    return count > kMaxBits ? kMaxBits + 1 : count.convert_to<std::uint64_t>();
}

void wantedByBinary(const hir::Body& body, const hir::BinaryExpr& node, std::uint64_t bits,
                    std::vector<Wanted>& out) {
    std::uint64_t left = bits, right = bits;
    switch (node.op) {
    case hir::BinaryOp::Shl: {
        std::uint64_t count = shiftCount(body[node.right], 0);
        left = bits == UINT64_MAX ? bits : bits - std::min(bits, count);
        right = UINT64_MAX;
        break;
    }
    case hir::BinaryOp::Shr:
        left = plus(bits, shiftCount(body[node.right], UINT64_MAX));
        right = UINT64_MAX;
        break;
    case hir::BinaryOp::And:
        left = std::min(bits, maskBits(body[node.right]));
        right = std::min(bits, maskBits(body[node.left]));
        break;
    case hir::BinaryOp::Div:
    case hir::BinaryOp::Mod: left = right = UINT64_MAX; break;
    case hir::BinaryOp::Add:
    case hir::BinaryOp::Sub:
    case hir::BinaryOp::Mul:
    case hir::BinaryOp::Or:
    case hir::BinaryOp::Xor: break;
    case hir::BinaryOp::Lt:  // their operands were looked at when they were built
    case hir::BinaryOp::Gt:
    case hir::BinaryOp::Le:
    case hir::BinaryOp::Ge:
    case hir::BinaryOp::Eq:
    case hir::BinaryOp::Ne:
    case hir::BinaryOp::LogicalAnd:
    case hir::BinaryOp::LogicalOr: return;
    }
    out.push_back({node.left, left});
    out.push_back({node.right, right});
}

/// Of what passes the demand on. All others give what fits their type, and looked at their own
/// operands when they were built.
void wantedByOperands(const hir::Body& body, const hir::TypeTable& types, const hir::Expr& expr,
                      std::uint64_t bits, std::vector<Wanted>& out) {
    smec::visit(Overloaded{
                    [&](const hir::BinaryExpr& n) { wantedByBinary(body, n, bits, out); },
                    [&](const hir::UnaryExpr& n) {
                        const bool isMasked = n.op == hir::UnaryOp::Complement
                                              && !types.as<hir::IntType>(expr.type)->isSigned;
                        out.push_back({n.operand, isMasked ? std::min<std::uint64_t>(
                                                      bits, widthOf(types, expr.type))
                                                           : bits});
                    },
                    [&](const hir::ConditionalExpr& n) {
                        out.push_back({n.yes, bits});
                        out.push_back({n.no, bits});
                    },
                    [](const AnyOf<hir::Constant, hir::InstanceConstant, hir::ReadVar,
                                   hir::ReadField, hir::ArrayElement, hir::BitSelect,
                                   hir::SliceSelect, hir::IndexedSliceSelect, hir::StructMemberOf,
                                   hir::CastExpr, hir::MakeArray, hir::MakeStruct, hir::CallExpr,
                                   hir::BuiltinExpr> auto&) {},
                },
                expr.node);
}

}  // namespace

bool BodyBuilder::demand(const Operand& operand, std::uint64_t bits) {
    return !operand.wide || operand.kind != Operand::Kind::Value || demand(operand.id, bits);
}

/// The expression to narrow, so that `id` is not too wide.
hir::ExprId BodyBuilder::culpritOf(hir::ExprId id) const {
    const auto& node = body_[id].node;
    if (const auto* binary = std::get_if<hir::BinaryExpr>(&node)) return culpritOf(*binary);
    const auto* unary = std::get_if<hir::UnaryExpr>(&node);
    return unary ? unary->operand : id;
}

/// The operand to narrow: a count that is not constant, else the side that is too wide itself.
hir::ExprId BodyBuilder::culpritOf(const hir::BinaryExpr& node) const {
    if (node.op == hir::BinaryOp::Shl
        && !std::holds_alternative<hir::Constant>(body_[node.right].node))
        return node.right;
    return wide_.contains(node.right.index) && !wide_.contains(node.left.index) ? node.right
                                                                                : node.left;
}

bool BodyBuilder::demand(hir::ExprId root, std::uint64_t rootBits) {
    std::vector<Wanted> work{{root, rootBits}};
    while (!work.empty()) {
        auto [id, bits] = work.back();
        work.pop_back();
        if (!id.valid() || bits == 0) continue;
        const hir::Expr& expr = body_[id];
        if (wide_.contains(id.index) && bits > kMaxBits) {
            const hir::Expr& narrow = body_[culpritOf(id)];
            reporter_.report(DiagId::TooWide, expr.range, reporter_.text(expr.range),
                             reporter_.text(narrow.range), types_.name(narrow.type));
            return false;
        }
        wantedByOperands(body_, types_, expr, bits, work);
    }
    return true;
}

}  // namespace smec::sema
