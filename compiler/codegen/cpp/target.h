#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers by which the generated C++ is decided: codegen/cpp/numbers.def.
namespace smec::codegen::cpp::target {

#define NUMBERS "codegen/cpp/numbers.def"
#include "source/numbers.inc"

}  // namespace smec::codegen::cpp::target
