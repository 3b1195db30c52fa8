#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/cover.h"

namespace sme {

/// What a run is told about when it is over.
struct Summary {
    std::string design;
    std::uint64_t cycles = 0;
    std::uint64_t resumedAt = 0;  ///< the cycle from which this process ran
    std::uint64_t stepsPerCycle = 0;
    double seconds = 0;
    unsigned running = 1;
    unsigned processors = 1;  ///< how many threads can run at once
    std::string threads;      ///< how many and why
    std::string plan;         ///< model and its parameters; empty with one thread
    std::uint64_t peakMemory = 0;
    std::vector<CoverCount> cover;
};

/// Some aligned lines.
std::string toText(const Summary& summary);
/// A JSON object on lines of its own; `factored`: the object of that report, or empty.
std::string toJson(const Summary& summary, const std::string& factored);

}  // namespace sme
