#pragma once

#include "engine/arena.h"
#include "engine/owners.h"
#include "engine/transport.h"
#include "sme/model.h"

namespace sme {

/// After `cycle` cycles, between runs: what each rank's processes wrote last and keep comes to rank
/// 0, so that it can show the whole state. All ranks call. Objects of extern processes stay where
/// they are.
void collectState(Transport& transport, const Owners& owners, const Model& model,
                  const Arena& arena, std::uint64_t cycle);

}  // namespace sme
