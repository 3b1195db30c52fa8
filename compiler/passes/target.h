#pragma once

#include <cstddef>
#include <cstdint>

/// How far the passes go: passes/numbers.def.
namespace smec::passes::target {

/// Where they lie: `--number` alone writes there (driver/compile/numbers.h).
namespace given {
#define NUMBER(type, name, value, unit, origin, source) inline constinit type name = value;
#include "passes/numbers.def"
#undef NUMBER
}  // namespace given

#define NUMBER(type, name, value, unit, origin, source) \
    inline constexpr const type& name = given::name;
#include "passes/numbers.def"
#undef NUMBER

}  // namespace smec::passes::target
