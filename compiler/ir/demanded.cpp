#include <algorithm>

#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "source/overloaded.h"

// Backwards over the expressions: statements first say what they look at, then every expression
// passes its demand on to its operands, users before what they use. 0: nobody looks.

namespace smec::ir {

namespace {

class Demand {
public:
    Demand(const Body& body, const std::vector<Interval>& intervals)
        : body_(body), intervals_(intervals), bits_(body.exprs.size(), 0) {}

    std::vector<std::uint32_t> run() {
        forEachStmt(body_.statements, [&](const Stmt& stmt) { roots(stmt); });
        for (std::size_t i = body_.exprs.size(); i-- > 0;) {
            if (bits_[i] != 0) pass(body_.exprs[i], bits_[i]);
        }
        return std::move(bits_);
    }

private:
    void need(ExprId id, std::uint32_t bits) {
        if (id.valid()) bits_[id.index] = std::max(bits_[id.index], bits);
    }

    void roots(const Stmt& stmt) {
        const auto* set = std::get_if<Set>(&stmt.node);
        forEachExpr(stmt, [&](ExprId id) {
            const bool stored =
                set && id == set->value && id != set->index && body_[id].type == ExprType::Int;
            need(id, stored ? body_.locals[set->local.index].type.scalar.width : kAllBits);
        });
    }

    void passBinary(const Binary& n, std::uint32_t bits) {
        switch (n.op) {
        case BinaryOp::Add:
        case BinaryOp::Sub:
        case BinaryOp::Mul:
        case BinaryOp::Or:
        case BinaryOp::Xor:
            need(n.left, bits);
            need(n.right, bits);
            break;
        case BinaryOp::And:  // a non-negative side clears what lies above it
            need(n.left, std::min(bits, maskBits(n.right)));
            need(n.right, std::min(bits, maskBits(n.left)));
            break;
        case BinaryOp::Shl:
            need(n.left, bits);
            need(n.right, kAllBits);
            break;
        case BinaryOp::Shr:
            need(n.left, bits == kAllBits ? kAllBits : shiftedBits(n.right, bits));
            need(n.right, kAllBits);
            break;
        case BinaryOp::Div:
        case BinaryOp::Mod:
        case BinaryOp::Min:
        case BinaryOp::Max:
        case BinaryOp::Lt:
        case BinaryOp::Le:
        case BinaryOp::Eq:
        case BinaryOp::Ne:
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
        case BinaryOp::FMax:
            need(n.left, kAllBits);
            need(n.right, kAllBits);
            break;
        }
    }

    /// Of what is shifted right by `id`. All bits of the result's word are right, so that a result
    /// which fits its word is exact.
    std::uint32_t shiftedBits(ExprId id, std::uint32_t bits) const {
        const auto* count = std::get_if<ConstInt>(&body_[id].node);
        if (!count || count->value < 0 || count->value > kIntegerBits) return kAllBits;
        return wordBits(bits) + static_cast<std::uint32_t>(count->value);
    }

    std::uint32_t maskBits(ExprId id) const {
        const Interval& x = intervals_[id.index];
        return x.low < 0 ? kAllBits : std::max(1U, bitLength(x.high));
    }

    void pass(const Expr& expr, std::uint32_t bits) {
        smec::visit(
            Overloaded{
                [&](const Unary& n) {
                    const bool low = n.op == UnaryOp::Neg || n.op == UnaryOp::BitNot;
                    need(n.operand, low ? bits : kAllBits);
                },
                [&](const Binary& n) { passBinary(n, bits); },
                [&](const Select& n) {
                    need(n.condition, kAllBits);
                    need(n.yes, bits);
                    need(n.no, bits);
                },
                [&](const Wrap& n) { need(n.operand, std::min(bits, n.width)); },
                [&](const AnyOf<ReadInput, ReadLocal, ReadTable, Convert> auto&) {
                    forEachOperand(expr, [&](ExprId id) { need(id, kAllBits); });
                },
                [](const AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, Cycle, Seed> auto&) {},
            },
            expr.node);
    }

    const Body& body_;
    const std::vector<Interval>& intervals_;
    std::vector<std::uint32_t> bits_;
};

}  // namespace

std::vector<std::uint32_t> demandedBits(const Body& body, const std::vector<Interval>& intervals) {
    return Demand(body, intervals).run();
}

}  // namespace smec::ir
