#pragma once

#include <string>
#include <vector>

#include "hir/design.h"

namespace smec::driver {

/// A scalar of a field, as a body of `.sme` names it.
struct WirePart {
    std::string place;  ///< "a.history[2]"
    hir::TypeId type;
    std::uint32_t width = 0;
};

/// A port of a Verilog module, and what of an extern process' buses it carries.
struct Wire {
    std::string name;   ///< of the module's port: "a_history"
    std::string field;  ///< "a.history"
    std::string whole;  ///< the field that it is a part of, as a name: "a_history"
    std::uint32_t port = 0;
    bool isWritten = false;       ///< by the module
    std::vector<WirePart> parts;  ///< the one in the lowest bits first
    std::uint32_t width = 0;
    bool isSigned = false;  ///< the module's port is
};

/// One for each field, as an export lays them out: `port_field`, elements of arrays beside each
/// other, the first in the low bits; of a struct one for each member.
std::vector<Wire> wiresOf(const hir::Design& design, const hir::Specialisation& spec);

}  // namespace smec::driver
