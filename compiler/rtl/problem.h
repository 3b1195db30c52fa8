#pragma once

#include <string>

#include "netlist/netlist.h"

namespace smec::rtl {

/// What cannot be imported: what it is, what to do, and where it stands (attributes with `src`).
struct Problem {
    std::string what;
    netlist::Values place;
    std::string atEdge{};  ///< the same where the block that stands there waits for an edge; may be
                           ///< empty
};

}  // namespace smec::rtl
