#pragma once

#include <vector>

#include "engine/halo.h"
#include "engine/owners.h"
#include "engine/rank_choices.h"
#include "schedule/metis.h"
#include "schedule/rank_shares.h"
#include "sme/model.h"

namespace sme {

/// How a design is shared out among ranks. Each rank computes the same from the model alone, so that
/// none has to tell the others.
struct RankPlan {
    RankShares shares;
    Owners owners;
    std::vector<Crossing> crossings;
};

RankPlan planOf(const Model& model, RankShares shares);

/// Of the ways to cut, the one in which the dearest rank is cheapest, with what it computes and what
/// it sends and receives; or one way, where it is one for this design. `metis`, where it is
/// there, cuts large graphs.
RankPlan planRanks(const Model& model, unsigned ranks, CutWay way = CutWay::Cheapest,
                   const Metis* metis = nullptr);

/// By rank, what a cycle costs: what it computes, sends and receives, in units of static cost.
std::vector<double> costsOfRanks(const Model& model, const RankPlan& plan);

/// The model with the work of one rank: a work for each of its pieces, in order. The model outlives
/// it.
class RankModel {
public:
    RankModel(const Model& model, const RankShares& shares, unsigned rank);
    RankModel(const RankModel&) = delete;
    RankModel& operator=(const RankModel&) = delete;
    const Model& model() const { return model_; }

private:
    std::vector<Work> work_;
    Model model_;
};

}  // namespace sme
