#pragma once

#include <cstddef>
#include <cstdint>

/// How far the passes go: passes/numbers.def.
namespace smec::passes::target {

#define NUMBERS "passes/numbers.def"
#include "source/numbers.inc"

}  // namespace smec::passes::target
