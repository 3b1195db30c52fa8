#pragma once

#include <vector>

#include "ir/ir.h"

namespace smec::hdl {

/// Puts what helpers are set to where they are read: where that is a constant, a port or a variable
/// that nothing sets in between, or where they are read once. `values`: of the expressions. The
/// body is straight; what is no longer read stays until it is swept.
void forwardValues(ir::Body& body, const std::vector<ir::Interval>& values);

}  // namespace smec::hdl
