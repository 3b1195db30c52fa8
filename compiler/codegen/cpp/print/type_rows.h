#pragma once

#include "codegen/cpp/print/names.h"
#include "codegen/cpp/print/text.h"

namespace smec::codegen::cpp {

/// sme::Model::types, and what its rows refer to.
void printTypes(const CppDesign& cpp, Writer& out);

}  // namespace smec::codegen::cpp
