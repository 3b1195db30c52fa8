#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers of the machine that several phases share: ir/numbers.def.
namespace smec::ir::target {

#define NUMBERS "ir/numbers.def"
#include "source/numbers.inc"

}  // namespace smec::ir::target
