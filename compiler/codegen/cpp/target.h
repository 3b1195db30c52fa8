#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers by which the generated C++ is decided: codegen/cpp/numbers.def.
namespace smec::codegen::cpp::target {

#define NUMBER(type, name, value, unit, origin, source) inline constexpr type name = value;
#include "codegen/cpp/numbers.def"
#undef NUMBER

}  // namespace smec::codegen::cpp::target
