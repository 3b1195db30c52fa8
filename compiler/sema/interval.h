#pragma once

#include "hir/body.h"

namespace smec::sema {

constexpr std::uint32_t kMaxBits = 65'536;  ///< of types, constants and needed intermediates

/// The values an integer expression can take, over the declared types of its leaves. `unbounded`:
/// more than kMaxBits bits.
struct Interval {
    hir::Integer low;
    hir::Integer high;
    bool unbounded = false;

    static Interval of(const hir::Integer& value) { return {value, value, false}; }
    static Interval everything() { return {0, 0, true}; }
    bool contains(const Interval& other) const {
        return unbounded || (!other.unbounded && low <= other.low && high >= other.high);
    }
};

Interval unite(const Interval& left, const Interval& right);

/// What `op` can give; the divisor is taken to be non-zero and the shift count not negative.
Interval apply(hir::BinaryOp op, const Interval& left, const Interval& right);

Interval negate(const Interval& operand);
Interval absolute(const Interval& operand);
Interval minimum(const Interval& left, const Interval& right);
Interval maximum(const Interval& left, const Interval& right);

}  // namespace smec::sema
