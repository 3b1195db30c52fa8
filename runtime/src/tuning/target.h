#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers by which times are measured and plans are changed: tuning/numbers.def.
namespace sme::target {

#define NUMBER(type, name, value, unit, origin, source) inline constexpr type name = value;
#include "tuning/numbers.def"
#undef NUMBER

}  // namespace sme::target
