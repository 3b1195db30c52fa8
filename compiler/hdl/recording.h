#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hdl/hdl.h"

namespace smec::hdl {

/// What the simulators read in each cycle, from reset on.
struct Recording {
    std::vector<std::uint32_t> probes;       ///< of Design, one for each column
    std::vector<std::vector<Integer>> rows;  ///< by cycle and column
    std::string ending;                      ///< how the run ended: "stopped with status 0 in …"
};

/// Where the columns of a recording stand: a cycle is some words, each of which holds columns of
/// one group, the first in its low bits. Words are short, since simulators copy a vector to look at
/// a part of it.
struct RecordingLayout {
    enum class Group : std::uint8_t { Input, Port, Inner };
    struct Word {
        Group group;
        std::vector<std::uint32_t> columns;
    };
    struct Place {
        std::uint32_t word = 0;
        std::uint32_t low = 0;
    };
    std::vector<Place> places;  ///< by column
    std::vector<Word> words;
    std::uint32_t width = 1;  ///< bits of each word
};

/// Cycles of the reset in front of the first one: with modules written by hand as many as an import
/// of their Verilog has (docs/verilog.md, "In a network"), for what no reset sets goes on meanwhile.
unsigned resetCycles(const Design& design);

RecordingLayout layoutOf(const Design& design, const Recording& recording);

/// The words of all cycles as lines of hexadecimal digits.
std::string hexLines(const Design& design, const Recording& recording,
                     const RecordingLayout& layout);

/// "WORD LOW WIDTH IS_SIGNED NAME" of what a bench compares, in lines.
std::string nameLines(const Design& design, const Recording& recording,
                      const RecordingLayout& layout);

}  // namespace smec::hdl
