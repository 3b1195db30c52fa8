#pragma once

#include <string>
#include <vector>

#include "interp/names.h"

namespace smec::interp {

/// --memory: each PATH=FILE is what the array of that path holds before the first cycle. Throws
/// RunError.
void loadMemories(Simulation& simulation, const NameTable& names,
                  const std::vector<std::string>& given);

}  // namespace smec::interp
