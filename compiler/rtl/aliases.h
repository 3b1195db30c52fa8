#pragma once

#include <unordered_map>

#include "netlist/netlist.h"

namespace smec::rtl {

/// Nets that are others.
class Aliases {
public:
    /// Of outputs that are no nets nothing is said.
    void add(const netlist::Bits& outputs, const netlist::Bits& inputs);
    /// Puts what they are in their place, but for inputs. Loops of aliases alone are left as nets
    /// that nobody drives.
    void resolve(netlist::Module& module);

private:
    netlist::Bit end(netlist::Bit bit);
    void resolve(netlist::Bits& bits);

    std::unordered_map<netlist::Bit, netlist::Bit> of_;
};

/// Takes out multiplexers that give one of their inputs whatever is chosen: a side that is x may be
/// anything, so it is the other one, and a choice between 1 and 0 is the condition.
void resolveAliases(netlist::Module& module);

}  // namespace smec::rtl
