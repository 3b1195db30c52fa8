#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace sme {

/// Bytes that putDigits may write beyond the end that it returns.
constexpr std::size_t kBeyondDigits = 8;

namespace digits {

constexpr std::uint32_t kEight = 100'000'000;  // the first number of nine digits

/// The four digits of each number below 10,000, the first one in the lowest byte.
inline constexpr auto kFour = [] {
    std::array<std::uint32_t, 10'000> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i)
        table[i] = i / 1000 | i / 100 % 10 << 8 | i / 10 % 10 << 16 | i % 10 << 24;
    return table;
}();

/// The eight digits of a number below kEight in the same way.
inline std::uint64_t eight(std::uint32_t value) {
    return kFour[value / 10'000] | std::uint64_t{kFour[value % 10'000]} << 32;
}

inline char* putEight(char* to, std::uint32_t value) {
    const std::uint64_t text = eight(value) | 0x3030'3030'3030'3030;
    std::memcpy(to, &text, sizeof text);
    return to + sizeof text;
}

/// Without zeros in front.
inline char* putUpToEight(char* to, std::uint32_t value) {
    const std::uint64_t bytes = eight(value);
    const int zeros = std::countr_zero(bytes | std::uint64_t{1} << 56) / 8;  // zero has a digit
    const std::uint64_t text = (bytes | 0x3030'3030'3030'3030) >> (8 * zeros);
    std::memcpy(to, &text, sizeof text);
    return to + sizeof text - zeros;
}

}  // namespace digits

/// The decimal digits of a number, where a loop would guess wrong how many there are. Returns the
/// end.
inline char* putDigits(char* to, std::uint32_t value) {
    using namespace digits;
    if (value < kEight) return putUpToEight(to, value);
    const std::uint32_t above = value / kEight;  // at most 42
    *to = static_cast<char>('0' + above / 10);
    to += above >= 10 ? 1 : 0;
    *to++ = static_cast<char>('0' + above % 10);
    return putEight(to, value % kEight);
}

inline char* putDigits(char* to, std::uint64_t value) {
    using namespace digits;
    if (value <= UINT32_MAX) return putDigits(to, static_cast<std::uint32_t>(value));
    const std::uint64_t above = value / kEight;
    if (above < kEight) {
        to = putUpToEight(to, static_cast<std::uint32_t>(above));
    } else {
        to = putUpToEight(to, static_cast<std::uint32_t>(above / kEight));
        to = putEight(to, static_cast<std::uint32_t>(above % kEight));
    }
    return putEight(to, static_cast<std::uint32_t>(value % kEight));
}

}  // namespace sme
