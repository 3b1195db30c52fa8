#pragma once

#include <cstdint>
#include <string>

#include "codegen/cpp/print/names.h"

namespace smec::codegen::cpp {

/// model.bin: all tables of sme::Model, with the constants that kernels ask for. Rows follow the
/// design's runs, never its instances. Functions are named by their place in the tables of sme::Code:
/// kernels in the order of ModelPlan::work, those of objects in the order of the planes. `code`: the
/// identity of the code that it is for.
std::string modelImage(const CppDesign& cpp, const std::string& refusals, std::uint64_t code);

}  // namespace smec::codegen::cpp
