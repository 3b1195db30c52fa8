#pragma once

#include <cstdint>

/// The numbers by which `smec bench` chooses cycles and judges runs: driver/bench/numbers.def.
namespace smec::driver::target {

#define NUMBER(type, name, value, unit, origin, source) inline constexpr type name = value;
#include "driver/bench/numbers.def"
#undef NUMBER

}  // namespace smec::driver::target
