#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hdl/hdl.h"

namespace smec::hdl {

/// The text of a trace or assertion, taken apart: what stands between its placeholders, and how
/// each of these shows its value, whose `value` is left to the caller.
std::pair<std::vector<std::string>, std::vector<Shown>> textOf(const ir::TraceSite& site,
                                                               const std::vector<ir::Enum>& enums);

}  // namespace smec::hdl
