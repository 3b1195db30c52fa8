#pragma once

#include <cstdint>
#include <string>

namespace sme {

/// What a run is told about when it is over.
struct Summary {
    std::uint64_t cycles = 0;
    std::uint64_t stepsPerCycle = 0;
    double seconds = 0;
    std::string threads;  ///< how many and why
    std::string plan;     ///< model and its parameters; empty with one thread
    std::uint64_t peakMemory = 0;
};

/// Some aligned lines.
std::string toText(const Summary& summary);

/// Three digits with a prefix: 1.23 M, 45.6 k, 7.00 G.
std::string withPrefix(double number);

}  // namespace sme
