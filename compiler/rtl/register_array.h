#pragma once

#include <string>
#include <vector>

#include "netlist/netlist.h"

namespace smec::rtl {

/// Registers `name[first]`, `name[first + 1]`, …, by their nets or, where they are slices of one net,
/// their cells (`$driver$name[first]`), which have their kind, width, clock and reset in
/// common.
struct RegisterArray {
    std::string name;
    std::uint64_t first = 0;
    bool isSliced = false;
    std::vector<const netlist::Cell*> registers;

    std::size_t size() const { return registers.size(); }
    std::size_t width() const { return (*registers[0])["Q"].size(); }
};

/// In the order of their names. The module's cells stay where they are meanwhile.
std::vector<RegisterArray> findRegisterArrays(const netlist::Module& module);

}  // namespace smec::rtl
