#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// The numbers by which the plan is made: plan/numbers.def.
namespace smec::plan::target {

#define NUMBER(type, name, value, unit, origin, source) inline constexpr type name = value;
#include "plan/numbers.def"
#undef NUMBER

/// Into how many parts lists are cut to compare them.
inline constexpr std::array<std::uint32_t, 3> kCutParts{kMostCutParts / 4, kMostCutParts / 2,
                                                        kMostCutParts};

}  // namespace smec::plan::target
