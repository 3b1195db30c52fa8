#pragma once

#include <string>

namespace sme {

/// What an error of MPI means, by its class. `others`: those that may be lost.
std::string textOfMpiProblem(int code, const std::string& others);

}  // namespace sme
