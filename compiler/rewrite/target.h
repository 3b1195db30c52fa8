#pragma once

#include <cstddef>

/// How chains of processes become levels: rewrite/numbers.def.
namespace smec::rewrite::target {

/// Where they lie: `--number` alone writes there (driver/compile/numbers.h).
namespace given {
#define NUMBER(type, name, value, unit, origin, source) inline constinit type name = value;
#include "rewrite/numbers.def"
#undef NUMBER
}  // namespace given

#define NUMBER(type, name, value, unit, origin, source) \
    inline constexpr const type& name = given::name;
#include "rewrite/numbers.def"
#undef NUMBER

}  // namespace smec::rewrite::target
