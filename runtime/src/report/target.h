#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers by which reports are measured and judged: report/numbers.def.
namespace sme::target {

#define NUMBER(type, name, value, unit, origin, source) inline constexpr type name = value;
#include "report/numbers.def"
#undef NUMBER

}  // namespace sme::target
