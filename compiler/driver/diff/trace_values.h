#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace smec::driver {

/// How a trace spells the values of a signal.
enum class Spelling : std::uint8_t {
    Text,  ///< as in CSV: decimal numbers, true and false, floats, members of enums
    Bits,  ///< binary, the highest first, perhaps without zeros in front; x and z are possible
    Real
};

struct TracedSignal {
    std::string name;  ///< as in --list
    Spelling spelling = Spelling::Text;
    std::uint32_t width = 0;  ///< of bits
    bool operator==(const TracedSignal&) const = default;
};

/// Of bits those in front that say nothing: dumps may have them or not.
std::string_view withoutZeros(std::string_view bits);

/// Whether two texts are one value. Bits have no sign: they are the number modulo 2^width.
bool isSameValue(const TracedSignal& a, std::string_view valueOfA, const TracedSignal& b,
                 std::string_view valueOfB);

/// For people: bits become an unsigned number.
std::string shownValue(const TracedSignal& signal, std::string_view value);

}  // namespace smec::driver
