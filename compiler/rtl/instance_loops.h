#pragma once

#include <optional>
#include <string>
#include <utility>

#include "netlist/netlist.h"

namespace smec::rtl {

/// Instances through which words depend on themselves, port by port, become part of the module that
/// has them, where splitWords can part these words; what is called x in an instance u is u.x then.
/// Other instances of the same module stay. `modules`: children before those that instantiate them.
/// Words within modules are parted here, too.
void openInstancesInLoops(const std::vector<netlist::Module*>& modules);

/// An output of `top` and an input that it depends on within a cycle; none: all come from registers.
std::optional<std::pair<std::string, std::string>> combinationalPath(netlist::Design design,
                                                                     std::string_view top);

}  // namespace smec::rtl
