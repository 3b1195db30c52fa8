#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "driver/diff/trace_values.h"
#include "driver/diff/vcd_tokens.h"

namespace smec::driver {

/// What a value change dump says before its first time.
struct VcdHeader {
    std::uint64_t unit = 1'000'000;  ///< of its times, in femtoseconds
    std::vector<TracedSignal> signals;
    std::unordered_map<std::string, std::vector<std::size_t>> signalsOf;  ///< by identifier
    /// Members of enums by their bits, for signals that have such a table ($attrbegin, as fst2vcd
    /// writes it).
    std::vector<std::unordered_map<std::string, std::string>> tables;
    std::vector<int> tableOf;  ///< by signal; -1: none
};

/// Reads up to `$enddefinitions $end`. Throws BadTrace; `name`: what it calls the file.
VcdHeader readVcdHeader(VcdTokens& tokens, const std::string& name);

}  // namespace smec::driver
