#pragma once

#include <cstdint>
#include <map>

#include "ir/ir.h"
#include "plan/body_uses.h"

namespace smec::plan {

/// As BodyFacts::mirrors says.
std::map<std::uint32_t, std::uint32_t> mirrorsOf(const ir::Body& body, const BodyUses& uses);

}  // namespace smec::plan
