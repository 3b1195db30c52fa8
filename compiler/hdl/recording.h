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
};

/// The cycles as lines of hexadecimal digits, the first column in the low bits.
std::string hexLines(const Design& design, const Recording& recording);

}  // namespace smec::hdl
