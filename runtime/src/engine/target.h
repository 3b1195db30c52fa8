#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers by which memory is laid out and runs are cut: engine/numbers.def.
namespace sme::target {

#define NUMBER(type, name, value, unit, origin, source) inline constexpr type name = value;
#include "engine/numbers.def"
#undef NUMBER

}  // namespace sme::target
