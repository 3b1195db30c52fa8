#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers of the machine that several phases share: ir/numbers.def.
namespace smec::ir::target {

#define NUMBER(type, name, value, unit, origin, source) inline constexpr type name = value;
#include "ir/numbers.def"
#undef NUMBER

}  // namespace smec::ir::target
