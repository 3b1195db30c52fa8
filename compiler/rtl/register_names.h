#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "netlist/netlist.h"

namespace smec::rtl {

/// Where bits lie in nets that have names in the source. The nets stay where they are meanwhile.
class NetNames {
public:
    explicit NetNames(const netlist::Module& module);
    /// What bits are called that are a net or lie in a row in one ("state", "state_3"). Empty: nothing.
    std::string of(const netlist::Bits& bits) const;
    /// How many bits from the given one on lie in a row in one net; 0: it is in none.
    std::size_t inARow(const netlist::Bits& bits, std::size_t first) const;

private:
    using Place = std::pair<const netlist::Net*, std::size_t>;

    std::unordered_map<netlist::Bit, std::vector<Place>> places_;
};

/// Registers that Yosys made of bits that do not lie in a row become some of a name each: of
/// `state[3:2]` and `state[0]`, say, between which a bit is constant.
void splitScatteredRegisters(netlist::Module& module);

}  // namespace smec::rtl
