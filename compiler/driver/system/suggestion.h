#pragma once

#include <string>
#include <vector>

namespace smec::driver {

/// "; did you mean 'X'?" for the nearest candidate; where none is near, `otherwise` after "; ".
std::string didYouMean(const std::string& word, const std::vector<std::string>& candidates,
                       const std::string& otherwise);

}  // namespace smec::driver
