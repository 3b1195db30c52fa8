#pragma once

#include <cstdint>
#include <vector>

#include "ir/ir.h"

namespace smec::plan {

/// `costOf` of every class.
std::vector<double> costsOf(const ir::Design& design);

/// Statements of a body as C++ sees them: a statement with a large expression counts for several.
std::uint32_t sizeOf(const ir::Body& body);

}  // namespace smec::plan
