#include "driver/system/suggestion.h"

#include <fmt/format.h>

#include "diag/diagnostics.h"

namespace smec::driver {

std::string didYouMean(const std::string& word, const std::vector<std::string>& candidates,
                       const std::string& otherwise) {
    const std::string nearest = nearestName(word, candidates);
    return nearest.empty() ? "; " + otherwise : fmt::format("; did you mean '{}'?", nearest);
}

}  // namespace smec::driver
