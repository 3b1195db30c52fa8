#pragma once

#include <vector>

#include "ir/ir.h"

namespace smec::hdl {

/// A loop whose bounds are not constant, but lie in small intervals, goes through all that they can
/// be, and does nothing outside of what they are. `values`: the intervals of the body's expressions.
void boundLoops(ir::Body& body, std::vector<ir::Interval> values);

}  // namespace smec::hdl
