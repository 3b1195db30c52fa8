#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace smec::driver {

/// An input of the top module becomes a constant, '0' or '1', in a netlist as `write_json` writes
/// it; and so does every input of another module that is the same constant in all its instances.
void tiePort(nlohmann::ordered_json& netlist, const std::string& top, const std::string& port,
             char value);

}  // namespace smec::driver
