#pragma once

#include <cstdint>
#include <vector>

#include "ir/ir.h"

namespace smec::codegen::cpp {

/// How an activation sets a scalar variable.
enum class SetOn : std::uint8_t {
    EveryPath,  ///< whatever branches it takes, or never
    SomePaths,  ///< of branches, and once at most
    Again       ///< in branches, more than once, or in a loop
};

/// By local; EveryPath of all that is no such variable. O(statements · log² variables).
std::vector<SetOn> setPathsOf(const ir::Body& body);

}  // namespace smec::codegen::cpp
