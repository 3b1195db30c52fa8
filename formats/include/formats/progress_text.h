#pragma once

#include <cstdint>
#include <string>

namespace sme {

/// How far a run is: cycle `done` of `limit` (~0: nobody knows), after so many seconds.
struct Progress {
    std::uint64_t done = 0;
    std::uint64_t limit = ~std::uint64_t{0};
    std::uint64_t first = 0;  ///< the cycle that it began with
    double seconds = 0;       ///< since then
    double perSecond = 0;     ///< cycles, of late
    double timeout = 0;       ///< seconds; 0: none
};

/// "cycle 5 of 10 (50 %), 2.00 k cycles/s, 2.5 s, 2.5 s left": the rest at the mean speed so far,
/// or to the time limit where that comes first.
std::string progressLine(const Progress& progress);

/// The same for a terminal of so many columns, which it does not fill, with a bar where the end is
/// known and there is room: "[=====     ] 50 %, 2.00 k cycles/s, 2.5 s left".
std::string progressBar(const Progress& progress, unsigned columns);

/// "12.3 s", "2 min 30 s", "3 h 20 min".
std::string durationText(double seconds);

/// Three digits: "2.00 k", "31.4 M".
std::string withPrefix(double number);

/// How wide the terminal is behind a descriptor; 0: it is none.
unsigned terminalColumns(int descriptor);

}  // namespace sme
