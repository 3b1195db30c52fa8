#pragma once

#include <cstdint>
#include <string>

namespace smec::rtl {

/// What a bit is at first that the source leaves x.
enum class Unknown : std::uint8_t { Zero, One, Random };

/// What may be chosen where a netlist becomes a module.
struct Options {
    Unknown initial = Unknown::Zero;
    std::uint64_t seed = 1;    ///< of Random
    bool isResetSync = false;  ///< asynchronous resets act at the clock's edge alone
    std::string clock;         ///< of the top; empty: whatever port its registers hang on
};

}  // namespace smec::rtl
