#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/operators.h"
#include "ir/visit.h"
#include "source/overloaded.h"

// 32 bits unless more are needed; a word that holds the interval exactly, or, where only low bits
// matter and low bits of the operands give them, an unsigned word with just those:
//   u32 x = a * b  (a, b: u32)   the product reaches 64 bits, 32 are looked at  ->  32 bits,
//   unsigned

namespace smec::ir {

namespace {

Machine exactWord(const Interval& x) {
    const bool isSigned = x.low < 0;
    return {wordBits(bitsOf(x, isSigned)), isSigned};
}

bool lowBitsSuffice(const Expr& expr) {
    return smec::visit(
        Overloaded{
            [](const Binary& n) { return factsOf(n.op).lowBitsSuffice; },
            [](const Unary& n) { return n.op == UnaryOp::Neg || n.op == UnaryOp::BitNot; },
            [](const AnyOf<Wrap, Select, ConstInt> auto&) { return true; },
            [](const AnyOf<ConstBool, ConstFloat, ReadColumn, ReadInput, ReadLocal, ReadTable,
                           Cycle, Seed, Convert> auto&) { return false; },
        },
        expr.node);
}

}  // namespace

std::uint32_t wordBits(std::uint32_t bits) {
    if (bits <= 32) return 32;
    if (bits <= 64) return 64;
    return bits <= 128 ? 128 : (bits + 63) / 64 * 64;
}

std::vector<Machine> machineTypes(const Body& body, const std::vector<Interval>& intervals,
                                  const std::vector<std::uint32_t>& demanded) {
    std::vector<Machine> result(body.exprs.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        const Expr& expr = body.exprs[i];
        if (expr.type != ExprType::Int) continue;
        const Machine exact = exactWord(intervals[i]);
        const bool low =
            demanded[i] != kAllBits && lowBitsSuffice(expr) && wordBits(demanded[i]) < exact.bits;
        result[i] = low ? Machine{wordBits(demanded[i]), false} : exact;
    }
    return result;
}

}  // namespace smec::ir
