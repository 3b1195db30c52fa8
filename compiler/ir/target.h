#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers of the machine that several phases share: ir/numbers.def.
namespace smec::ir::target {

/// Where they lie: `--number` alone writes there (driver/compile/numbers.h).
namespace given {
#define NUMBER(type, name, value, unit, origin, source) inline constinit type name = value;
#include "ir/numbers.def"
#undef NUMBER
}  // namespace given

#define NUMBER(type, name, value, unit, origin, source) \
    inline constexpr const type& name = given::name;
#include "ir/numbers.def"
#undef NUMBER

}  // namespace smec::ir::target
