#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "driver/diff/dump_reader.h"
#include "driver/diff/vcd_tokens.h"

namespace smec::driver {

/// What a value change dump says before its first time.
struct VcdHeader {
    std::uint64_t unit = 1'000'000;  ///< of its times, in femtoseconds
    DumpSignals dump;
    std::unordered_map<std::string, std::vector<std::size_t>> signalsOf;  ///< by identifier
};

/// Reads up to `$enddefinitions $end`. Enums have tables, as fst2vcd writes them ($attrbegin). Throws
/// BadDump. `fileSize`: 0 where it is not known.
VcdHeader readVcdHeader(VcdTokens& tokens, std::uint64_t fileSize);

}  // namespace smec::driver
