#pragma once

#include <cstddef>
#include <string>

#include "driver/diff/diff_traces.h"

namespace smec::driver {

/// What `smec diff` prints. `most`: signals that are listed.
std::string toText(const TraceDifference& difference, const std::string& left,
                   const std::string& right, std::size_t most);

}  // namespace smec::driver
