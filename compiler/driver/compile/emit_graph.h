#pragma once

#include <string>

#include "hir/design.h"

namespace smec::driver {

/// Processes and the bus fields between them, one line per instance, in output order: stable text
/// for --emit=graph.
std::string processGraph(const hir::Design& design);

}  // namespace smec::driver
