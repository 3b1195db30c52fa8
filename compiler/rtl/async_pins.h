#pragma once

#include <optional>
#include <unordered_map>

#include "netlist/netlist.h"
#include "rtl/cell_maker.h"
#include "rtl/register_names.h"

namespace smec::rtl {

/// Registers that are loaded ($aldff), or set and cleared bit by bit ($dffsr), without their clock
/// become a $dff each. What these pins do is there for all readers while they are on, and stays
/// after the edge. Where both are on, a bit is cleared; one that is still set when that ends is
/// set, as in hardware.
class AsyncPins {
public:
    /// `isSync`: they act at the edge alone. `nets`: of new registers, which the module gets later.
    AsyncPins(const netlist::Module& module, CellMaker& maker, bool isSync,
              std::vector<netlist::Net>& nets)
        : module_(module), maker_(maker), isSync_(isSync), nets_(nets) {}

    static bool areOn(const netlist::Cell& cell) {
        return cell.type.starts_with("$aldff") || cell.type.starts_with("$dffsr");
    }
    void actAtEdge(netlist::Cell& cell);

private:
    /// `value`, or what the pins make of it.
    netlist::Bits forced(const netlist::Cell& cell, const netlist::Bits& value);
    /// The register proper, behind which the pins act.
    netlist::Bits addInner(const netlist::Bits& outer);
    void look();

    const netlist::Module& module_;
    CellMaker& maker_;
    const bool isSync_;
    std::optional<NetNames> names_;
    std::unordered_map<netlist::Bit, char> initial_;  ///< as nets say; x where none does
    std::vector<netlist::Net>& nets_;
};

}  // namespace smec::rtl
