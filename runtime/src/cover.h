#pragma once

#include <string>

#include "engine.h"

namespace sme {

/// One line for each `cover` of each process instance, in output order; empty when there is none.
/// Between runs only.
std::string coverReport(const Engine& engine);

}  // namespace sme
