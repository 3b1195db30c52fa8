#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

/// The numbers by which the plan is made: plan/numbers.def.
namespace smec::plan::target {

/// Where they lie: `--number` alone writes there (driver/compile/numbers.h).
namespace given {
#define NUMBER(type, name, value, unit, origin, source) inline constinit type name = value;
#include "plan/numbers.def"
#undef NUMBER
}  // namespace given

#define NUMBER(type, name, value, unit, origin, source) \
    inline constexpr const type& name = given::name;
#include "plan/numbers.def"
#undef NUMBER

/// Into how many parts lists are cut to compare them.
inline std::array<std::uint32_t, 3> cutParts() {
    return {std::max(kMostCutParts / 4, 1U), std::max(kMostCutParts / 2, 1U), kMostCutParts};
}

}  // namespace smec::plan::target
