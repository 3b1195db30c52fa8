#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace smec::driver {

/// What a cell of an FPGA costs.
enum class CellKind : std::uint8_t {
    Lut,
    FlipFlop,
    Carry,
    LutRam,    ///< in LUTs
    BlockRam,  ///< in the smallest blocks that the family has
    Multiplier,
    Other,  ///< buffers, constants, what has no place of its own
};
inline constexpr std::size_t kCellKinds = static_cast<std::size_t>(CellKind::Other);

/// Numbers of cells by kind.
using CellCounts = std::array<std::uint64_t, kCellKinds>;

/// What gives a register of the source its next value.
struct RegisterCost {
    std::uint64_t flipFlops = 0;
    std::uint64_t luts = 0;  ///< on paths that end at it; others may use them, too
    unsigned levels = 0;     ///< LUTs one after another
    bool operator==(const RegisterCost&) const = default;
};

/// A module of a netlist of an FPGA family.
struct NetlistModule {
    CellCounts cells{};
    unsigned levels = 0;  ///< LUTs one after another on the longest path; carry chains are none
    std::map<std::string, std::uint64_t> instances;  ///< of other modules
    std::map<std::string, RegisterCost> registers;   ///< by the name of the signal; `a[3]` is `a`
};

/// By name as Yosys calls it.
using Netlist = std::map<std::string, NetlistModule>;

/// Reads what `write_json` of Yosys wrote for iCE40 or Xilinx. Throws nlohmann::json::exception.
Netlist readNetlist(std::string_view json);

/// The name in the source of a module that Yosys made for some values of its parameters.
std::string sourceName(const std::string& module);

}  // namespace smec::driver
