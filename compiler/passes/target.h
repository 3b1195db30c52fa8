#pragma once

#include <cstddef>
#include <cstdint>

/// How far the passes go: passes/numbers.def.
namespace smec::passes::target {

#define NUMBER(type, name, value, unit, origin, source) inline constexpr type name = value;
#include "passes/numbers.def"
#undef NUMBER

}  // namespace smec::passes::target
