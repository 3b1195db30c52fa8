#pragma once

#include <cstdint>
#include <map>

#include "ir/ir.h"
#include "plan/body_uses.h"

namespace smec::plan {

/// Scalar outputs that are equal to a variable after every activation that does not fail, since the
/// body ends with `output = variable`: the variable's local by the output's.
std::map<std::uint32_t, std::uint32_t> mirrorsOf(const ir::Body& body, const BodyUses& uses);

}  // namespace smec::plan
