#pragma once

#include <optional>
#include <vector>

#include "ir/ir.h"

namespace smec::ir {

// Bits side by side, which words say with shifts and masks and hardware with wires. `values` are
// the intervals of the body's expressions.

/// high·2^width + low, 0 <= low < 2^width.
struct Beside {
    ExprId high;
    ExprId low;
    std::uint32_t width;
    bool isPlaced;  ///< `high` is a constant that is multiplied already
};
/// (high << width) | low
std::optional<Beside> beside(const Body& body, const std::vector<Interval>& values, ExprId id);

/// A number of `width` bits, `count` times.
struct Repeated {
    ExprId operand;
    std::uint32_t width;
    std::uint32_t count;
};
/// x * 0x01010101
std::optional<Repeated> repeated(const Body& body, const std::vector<Interval>& values, ExprId id);

/// Bits of a number in place of others of it.
struct Inserted {
    ExprId operand;
    ExprId value;  ///< invalid: 0
    std::uint32_t width;
    std::uint32_t low = 0;
    ExprId place{};         ///< valid: from there on, instead of `low`
    bool isPlaced = false;  ///< `value` is a constant that is multiplied by 2^low already
};
/// (x & ~0x0FF0) | (v << 4), (x & ~(0xFF << k)) | (v << k), where `x` has `bits` bits; what is cut
/// to as many bits is the same.
std::optional<Inserted> inserted(const Body& body, const std::vector<Interval>& values, ExprId id,
                                 std::uint32_t bits);

}  // namespace smec::ir
