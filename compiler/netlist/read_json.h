#pragma once

#include <filesystem>
#include <istream>
#include <stdexcept>

#include "netlist/netlist.h"

namespace smec::netlist {

/// Why text is no netlist: what was found, and at which byte.
struct BadNetlist : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Reads what `write_json` wrote. The text is not kept: memory follows the netlist. What it does not
/// know (memories, settings) is passed over. Throws BadNetlist.
Design readJson(std::istream& in);

}  // namespace smec::netlist
