#pragma once

#include <string>

#include "codegen/cpp/print/names.h"

namespace smec::codegen::cpp {

/// NAME.hpp of `library`: the design as classes of C++ over sme/simulation.hpp. Equal buses,
/// instances and arrays are one class.
std::string printTypedHeader(const CppDesign& cpp, const std::string& library);

}  // namespace smec::codegen::cpp
