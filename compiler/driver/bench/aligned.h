#pragma once

#include <string>
#include <vector>

namespace smec::driver {

using Cells = std::vector<std::string>;

/// Lines of equally many cells: the first one to the left, others to the right.
std::string aligned(const std::vector<Cells>& lines);

}  // namespace smec::driver
