#pragma once

#include <nlohmann/json.hpp>

#include "diag/diagnostics.h"

namespace smec::driver {

/// Warnings of an import, to be kept beside what was made: whatever options said of them.
nlohmann::json keptWarnings(const Diagnostics& found, const SourceManager& sources);

/// Says them again, under the options of `diagnostics`. The files that they are about hold what they
/// held; what is not of keptWarnings() is passed over.
void repeatWarnings(const nlohmann::json& kept, SourceManager& sources, Diagnostics& diagnostics);

}  // namespace smec::driver
