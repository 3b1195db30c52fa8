#pragma once

#include <vector>

#include "engine/arena.h"
#include "engine/owners.h"
#include "engine/residence.h"
#include "engine/transport.h"
#include "sme/model.h"

namespace sme {

/// Elements of a plane that rank 0 shows after a run.
struct Shown {
    std::uint32_t plane;
    ElementRange range;
};

/// After `cycle` cycles, between runs: what each rank's processes wrote last of what is to be shown
/// comes to rank 0. All ranks call, with the same.
void collectState(Transport& transport, const Owners& owners, const Model& model,
                  const Arena& arena, std::uint64_t cycle, const std::vector<Shown>& shown);

}  // namespace sme
