#pragma once

#include <vector>

#include "schedule/rank_blocks.h"
#include "sme/model.h"

namespace sme {

/// For each grid of a design the bands whose blocks are reckoned to be cheapest for a rank: by what
/// they send, the stretches of instances that they come to, and the memory that they take, which
/// ranks share page by page. `areCut`: blocks of whole rows are left out where there are others.
std::vector<BlockCut> blockCutsOf(const Model& model, unsigned ranks, bool areCut = false);

/// Whether some rank has less than whole rows.
bool areBlocks(const BlockCut& cut, unsigned ranks);

}  // namespace sme
