#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers by which `smec verify` decides when to end and what to list:
/// driver/verify/numbers.def.
namespace smec::driver::target {

#define NUMBER(type, name, value, unit, origin, source) inline constexpr type name = value;
#include "driver/verify/numbers.def"
#undef NUMBER

}  // namespace smec::driver::target
