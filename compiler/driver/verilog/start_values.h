#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include <nlohmann/json_fwd.hpp>

/// What registers and memories of a netlist start with.
namespace smec::driver {

/// Those of a netlist without instances, by the cell's name there. Binary digits, most significant
/// first, as an attribute `init` and a parameter `INIT` have them.
struct StartValues {
    std::unordered_map<std::string, std::string> registers;
    std::unordered_map<std::string, std::string> memories;
};

/// Whether a cell of Yosys, at word or bit level, keeps bits for a clock's edge.
bool isFlipFlop(std::string_view type);

/// The same in a netlist as `write_json` writes it, of which `flatten` made the other one. Instances
/// of a module that do not start alike get modules of their own.
void giveStartValues(nlohmann::ordered_json& netlist, const std::string& top,
                     const StartValues& values);

}  // namespace smec::driver
