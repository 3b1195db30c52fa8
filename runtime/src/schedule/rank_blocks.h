#pragma once

#include <vector>

#include "schedule/index_spaces.h"
#include "schedule/rank_shares.h"

namespace sme {

/// How a grid is cut into a block for each rank: along the first dimension into `bands[0]` bands,
/// each of these along the next one into `bands[1]`, …, what is left along the last one so that
/// each rank has one. Bands are as wide as they have ranks: of 7 ranks and 3 bands they have 2, 2
/// and 3.
struct BlockCut {
    IndexSpace space;
    std::vector<unsigned> bands;  ///< for each dimension but the last
};

/// Blocks of what the cuts tell, which are of different instances; of other works the same part of
/// the instances of each, indivisible ones whole, in order of the list. Borders of blocks are at
/// the legal places of each row that are nearest.
RankShares sharesOfBlocks(const Model& model, unsigned ranks, const std::vector<BlockCut>& cuts);

}  // namespace sme
