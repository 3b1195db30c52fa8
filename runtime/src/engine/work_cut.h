#pragma once

#include "schedule/rank_shares.h"
#include "sme/model.h"

namespace sme {

/// Shares with less crossing, for designs of many works that read one another irregularly: pieces of
/// works change ranks while that helps, by what they read of each other. The same where there is
/// little to choose, or too much.
RankShares improved(const Model& model, const RankShares& shares);

}  // namespace sme
