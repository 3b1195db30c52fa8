#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers of the laboratory: lab/numbers.def.
namespace sme::target {

#define NUMBER(type, name, value, unit, origin, source) inline constexpr type name = value;
#include "lab/numbers.def"
#undef NUMBER

}  // namespace sme::target
