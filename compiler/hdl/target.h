#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers by which hardware is made: hdl/numbers.def.
namespace smec::hdl::target {

#define NUMBER(type, name, value, unit, origin, source) inline constexpr type name = value;
#include "hdl/numbers.def"
#undef NUMBER

}  // namespace smec::hdl::target
