#pragma once

#include <string>
#include <vector>

#include "run/run.h"
#include "values/names.h"

namespace sme {

/// --memory: each PATH=FILE is what the array of that path holds before the first cycle. Throws
/// Error.
void loadMemories(Run& run, const NameTable& names, const std::vector<std::string>& given);

}  // namespace sme
