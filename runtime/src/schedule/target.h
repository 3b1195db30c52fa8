#pragma once

#include <cstdint>

/// The numbers by which threads wait and work is dealt: schedule/numbers.def.
namespace sme::target {

#define NUMBER(type, name, value, unit, origin, source) inline constexpr type name = value;
#include "schedule/numbers.def"
#undef NUMBER

}  // namespace sme::target
