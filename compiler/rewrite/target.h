#pragma once

#include <cstddef>

/// How chains of processes become levels: rewrite/numbers.def.
namespace smec::rewrite::target {

#define NUMBER(type, name, value, unit, origin, source) inline constexpr type name = value;
#include "rewrite/numbers.def"
#undef NUMBER

}  // namespace smec::rewrite::target
