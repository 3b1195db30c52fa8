#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers by which the generated C++ is decided: codegen/cpp/numbers.def.
namespace smec::codegen::cpp::target {

/// Where they lie: `--number` alone writes there (driver/compile/numbers.h).
namespace given {
#define NUMBER(type, name, value, unit, origin, source) inline constinit type name = value;
#include "codegen/cpp/numbers.def"
#undef NUMBER
}  // namespace given

#define NUMBER(type, name, value, unit, origin, source) \
    inline constexpr const type& name = given::name;
#include "codegen/cpp/numbers.def"
#undef NUMBER

}  // namespace smec::codegen::cpp::target
