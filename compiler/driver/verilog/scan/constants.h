#pragma once

#include <functional>
#include <optional>

#include "driver/verilog/scan/token.h"

namespace smec::driver::scan {

/// A number as it is written.
struct Literal {
    std::optional<std::uint32_t> size;  ///< in bits; none: 32, or what there is around it
    bool hasBase = false;
    bool isSigned = false;
    bool isReal = false;
    bool hasX = false;        ///< x
    bool hasZ = false;        ///< z or ?
    bool isLarge = false;     ///< 2^63 and more: `value` is not it
    std::uint64_t value = 0;  ///< unknown bits as 0
    std::uint64_t known = 0;  ///< of the lower 64 bits, those that are 0 or 1
};
Literal literalOf(std::string_view text);

/// What a name stands for; nothing: it is not constant.
using ValueOf = std::function<std::optional<std::int64_t>(std::string_view)>;

/// Value of an expression in 64 bits, where it is one of whole numbers that are known. O(n).
std::optional<std::int64_t> evaluate(const Tokens& tokens, Span span, const ValueOf& valueOf);

}  // namespace smec::driver::scan
