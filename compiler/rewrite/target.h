#pragma once

#include <cstddef>

/// How chains of processes become levels: rewrite/numbers.def.
namespace smec::rewrite::target {

#define NUMBERS "rewrite/numbers.def"
#include "source/numbers.inc"

}  // namespace smec::rewrite::target
