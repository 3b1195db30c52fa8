#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace sme {

/// In how many cycles a `cover` of a process instance held.
struct CoverCount {
    std::string name;
    std::string instance;
    std::uint64_t cycles = 0;
};

/// All of a design, in output order. Between runs only.
std::vector<CoverCount> coverCounts(const Engine& engine);

/// A line for each, which is a warning where it held in no cycle; empty when there is none.
std::string toText(const std::vector<CoverCount>& counts);

}  // namespace sme
