#include <cstdint>

inline std::uint8_t next7(std::uint8_t x) { return static_cast<std::uint8_t>(x + 1); }
inline std::int8_t next5(std::int8_t x) { return static_cast<std::int8_t>(x + 1); }
inline bool odd(std::uint64_t x) { return x % 2 != 0; }
inline long long plus(long long a, long long b) { return a + b; }
inline std::uint32_t sum(const std::uint8_t* data, const bool* use) {
    std::uint32_t total = 0;
    for (int i = 0; i < 4; ++i)
        total += use[i] ? data[i] : 0;
    return total;
}
inline std::int16_t corner(const std::int16_t* grid) { return grid[5]; }
inline std::uint8_t following(std::uint8_t color) {
    return color == 2 ? 0 : static_cast<std::uint8_t>(color + 1);
}
inline std::uint8_t digit(std::uint8_t x) { return x; }
