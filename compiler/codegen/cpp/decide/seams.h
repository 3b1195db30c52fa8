#pragma once

#include <cstdint>

#include "codegen/cpp/decide/wiring.h"

namespace smec::codegen::cpp {

/// Joins segments that go on where an earlier one ended, but for a few instances between them: the
/// row before and the row after a torus' seam. What the loop then reads for those few lies between
/// elements that it reads for others. Where many segments stay, as where rows take turns between
/// two offsets, those that are long take in the few instances beside them.
void joinSeams(const Program& program, const ir::Class& cls, Wiring& wiring);

/// Most seams among so many instances.
std::uint32_t mostSeams(const Wiring& wiring, std::uint32_t span);

}  // namespace smec::codegen::cpp
