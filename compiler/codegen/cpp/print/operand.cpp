#include "codegen/cpp/print/operand.h"

#include <algorithm>

namespace smec::codegen::cpp {
namespace {

/// Whether C++ converts a value of `from` to `to` without loss of low bits, and of sign where `to`
/// is signed.
bool isImplicit(const Word& from, const Word& to) {
    if (from == to) return true;
    if (from.isWide() || to.isWide()) return false;
    return to.isSigned ? from.bits < to.bits : from.bits <= to.bits;
}

}  // namespace

std::pair<Value, Value> operandsIn(const Word& word, Value left, Value right) {
    left = settle(left, word);
    right = settle(right, word);
    const bool bothPromoted =
        word == kInt && isImplicit(left.type, word) && isImplicit(right.type, word);
    if (!bothPromoted && left.type != word && right.type != word) left = convert(left, word);
    if (!isImplicit(left.type, word)) left = convert(left, word);
    if (!isImplicit(right.type, word)) right = convert(right, word);
    return {std::move(left), std::move(right)};
}

Value infix(const Value& left, const char* symbol, const Value& right, const Word& type) {
    return composed(fmt::format("{} {} {}", left.operand(), symbol, right.operand()), type);
}

bool comparesByValue(const Word& a, const Word& b) {
    if (a == b) return true;
    if (a.isWide() || b.isWide()) return false;
    if (a.isSigned == b.isSigned || (a.bits < 32 && b.bits < 32)) return true;
    const Word& sign = a.isSigned ? a : b;
    const Word& other = a.isSigned ? b : a;
    return other.bits < std::max(sign.bits, 32U);
}

}  // namespace smec::codegen::cpp
