#pragma once

#include <vector>

#include "schedule/rank_shares.h"
#include "sme/model.h"

namespace sme {

/// Shares with less crossing, for designs of many works that read one another irregularly: pieces of
/// works change ranks while that helps, by what they read of each other, from those of `shares` and
/// from others. None where there is little to choose, or too much.
std::vector<RankShares> graphCuts(const Model& model, const RankShares& shares);

}  // namespace sme
