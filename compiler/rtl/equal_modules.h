#pragma once

#include <string>
#include <string_view>

#include "netlist/netlist.h"

namespace smec::rtl {

/// "fifo" of "fifo$top.reader.fifo"; others are called what they are.
std::string sourceName(const std::string& name, std::string_view top);

/// Yosys' `read_slang` makes a module of each instance, called "fifo$top.reader.fifo". Those that are
/// the same become one, so that they share a class, and are called as the source calls them where
/// this tells them apart.
void joinEqualModules(netlist::Design& design, std::string_view top);

}  // namespace smec::rtl
