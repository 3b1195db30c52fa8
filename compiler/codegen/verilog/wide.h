#pragma once

#include <cstdint>
#include <vector>

#include "hdl/hdl.h"

namespace smec::codegen::verilog {

/// Bits of a constant that no tool spoils.
inline constexpr std::uint32_t kSafe = 256;
/// Whether Verilator 5.006 spoils a vector of so many bits to which this constant is assigned
/// (docs/hdl-tools.md): where there are more than 256, and the highest words are 0, it leaves these
/// as they are and writes zeros after the vector.
bool isSpoilt(const hdl::Integer& value, std::uint64_t width);

struct Part {
    std::uint64_t low, width;
};
/// Parts of at most 256 bits, in which such a vector can be assigned, in an order in which no two
/// that follow each other are neighbours, since these would become one assignment again.
std::vector<Part> partsOf(std::uint64_t width);

}  // namespace smec::codegen::verilog
