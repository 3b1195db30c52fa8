#include "codegen/cpp/decide/word.h"

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

Word wordFor(const ir::Interval& interval) {
    Word word{WordKind::Int, interval.low < 0, 32};
    const std::uint32_t bits = ir::bitsOf(interval, word.isSigned);
    while (word.bits < bits && word.bits < 128)
        word.bits *= 2;
    if (word.bits < bits) word.bits = (bits + 63) / 64 * 64;
    return word;
}

ir::Interval intervalOf(const Word& word) {
    if (word.kind == WordKind::Bool) return {0, 1};
    if (!word.isSigned) return {0, ir::powerOfTwo(word.bits) - 1};
    return {-ir::powerOfTwo(word.bits - 1), ir::powerOfTwo(word.bits - 1) - 1};
}

bool holds(const Word& word, const ir::Interval& interval) {
    if (!word.isInt()) return false;
    if (interval.low < 0 && !word.isSigned) return false;
    return ir::bitsOf(interval, word.isSigned) <= word.bits;
}

bool holds(const Word& word, const ir::Integer& value) {
    return holds(word, ir::Interval{value, value});
}

}  // namespace smec::codegen::cpp
