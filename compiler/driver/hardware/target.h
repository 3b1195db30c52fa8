#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers that bound the recorded runs of exported designs, and what tools of theirs may
/// say: driver/hardware/numbers.def.
namespace smec::driver::target {

#define NUMBER(type, name, value, unit, origin, source) inline constexpr type name = value;
#include "driver/hardware/numbers.def"
#undef NUMBER

}  // namespace smec::driver::target
