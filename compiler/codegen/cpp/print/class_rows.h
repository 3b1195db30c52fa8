#pragma once

#include <string>

#include "codegen/cpp/print/names.h"
#include "codegen/cpp/print/text.h"

namespace smec::codegen::cpp {

/// Prints the table of classes with their traces and failures, and gives what sme::Model says of it.
std::string printClasses(const CppDesign& cpp, Writer& out);

}  // namespace smec::codegen::cpp
