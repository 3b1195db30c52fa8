#include "codegen/cpp/decide/word.h"

#include <algorithm>
#include <bit>

#include "ir/arithmetic.h"

namespace smec::codegen::cpp {

Word storedWord(const ir::Scalar& scalar) {
    switch (scalar.kind) {
    case ir::ScalarKind::Bool: return {WordKind::Int, false, 8};
    case ir::ScalarKind::F32: return kF32;
    case ir::ScalarKind::F64: return kF64;
    case ir::ScalarKind::Int: break;
    }
    std::uint32_t bits = 8;
    while (bits < scalar.width && bits < 64)
        bits *= 2;
    if (scalar.width > 64) bits = (scalar.width + 63) / 64 * 64;
    return {WordKind::Int, scalar.isSigned, bits};
}

Word variableWord(const ir::Scalar& scalar) {
    return scalar.kind == ir::ScalarKind::Bool ? kBool : storedWord(scalar);
}

Word wordOf(const ir::Machine& machine) { return {WordKind::Int, machine.isSigned, machine.bits}; }

ir::Interval intervalOf(const Word& word) {
    if (word.kind == WordKind::Bool) return {0, 1};
    if (!word.isSigned) return {0, ir::powerOfTwo(word.bits) - 1};
    return {-ir::powerOfTwo(word.bits - 1), ir::powerOfTwo(word.bits - 1) - 1};
}

std::uint32_t roundedUp(std::uint32_t bits) {
    if (bits <= 8) return 8;
    return bits <= 128 ? std::bit_ceil(bits) : (bits + 63) / 64 * 64;
}

Extent extentOf(const ir::Interval& interval) {
    const bool isNegative = interval.low < 0;
    return {isNegative, isNegative ? 0 : roundedUp(ir::bitsOf(interval, false)),
            roundedUp(ir::bitsOf(interval, true))};
}

Extent hull(const Extent& a, const Extent& b) {
    const bool isNegative = a.isNegative || b.isNegative;
    return {isNegative, isNegative ? 0 : std::max(a.unsignedBits, b.unsignedBits),
            std::max(a.signedBits, b.signedBits)};
}

Word wordFor(const Extent& extent) {
    const std::uint32_t bits = extent.isNegative ? extent.signedBits : extent.unsignedBits;
    return {WordKind::Int, extent.isNegative, std::max(bits, 32U)};
}

bool holds(const Word& word, const Extent& extent) {
    if (!word.isInt()) return false;
    if (!word.isSigned) return !extent.isNegative && extent.unsignedBits <= word.bits;
    return extent.signedBits <= word.bits;
}

bool holds(const Word& word, const ir::Integer& value) {
    return holds(word, extentOf({value, value}));
}

}  // namespace smec::codegen::cpp
