#pragma once

#include <string>

#include "formats/trace_signal.h"

namespace sme::fst {

/// The tree of a trace. Variables are numbered from 1 on in the order in which they stand there:
/// the clock, if it is shown, then the signals.
struct Hierarchy {
    std::string geometry;  ///< contents of two blocks
    std::string tree;
    std::string gap;  ///< content of a geometry block that may be longer than it
    std::uint64_t scopes;
    std::uint64_t variables;
};
Hierarchy hierarchyOf(const TraceDescription& description);

}  // namespace sme::fst
