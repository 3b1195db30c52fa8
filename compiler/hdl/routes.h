#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "hdl/nets.h"

namespace smec::hdl {

/// The nets of a module of instances, and how they come into it.
struct Crossing {
    std::set<std::uint32_t> in, out, inside;
};

/// By node: nets pass through every module between their driver and their readers.
std::vector<Crossing> routes(const Netlist& list);

}  // namespace smec::hdl
