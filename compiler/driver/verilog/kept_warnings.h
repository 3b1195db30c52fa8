#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "diag/diagnostics.h"

namespace smec::driver {

/// Warnings of an import, to be kept beside what was made: whatever options said of them.
nlohmann::json keptWarnings(const Diagnostics& found, const SourceManager& sources);

struct KeptWarning {
    DiagId id{};
    std::string message;
    std::string path;  ///< empty: it has no place
    std::uint32_t begin = 0, end = 0;
};

/// Nothing where it is not all of keptWarnings(): then it is not known what was to be said.
std::optional<std::vector<KeptWarning>> readWarnings(const nlohmann::json& kept);

/// Says them again, under the options of `diagnostics`. The files that they are about hold what they
/// held.
void repeatWarnings(const std::vector<KeptWarning>& kept, SourceManager& sources,
                    Diagnostics& diagnostics);

}  // namespace smec::driver
