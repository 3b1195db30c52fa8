#pragma once

#include <vector>

#include "engine/rank_choices.h"
#include "schedule/metis.h"
#include "schedule/rank_shares.h"
#include "sme/model.h"

namespace sme {

/// Whether a design is one of many works that read one another irregularly.
bool isIrregular(const Model& model);

/// For such designs shares with less crossing: pieces of works change ranks while that helps, by what
/// they read of each other, from those of `shares` and from a cut of the graph of all: by `metis` where
/// it is there and our own takes long. None where there is little to choose, or too much.
std::vector<RankShares> graphCuts(const Model& model, const RankShares& shares,
                                  CutWay way = CutWay::Cheapest, const Metis* metis = nullptr);

}  // namespace sme
