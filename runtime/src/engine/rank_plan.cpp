#include "engine/rank_plan.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "engine/block_cuts.h"
#include "engine/target.h"
#include "engine/work_cut.h"

namespace sme {
namespace {

/// The plan whose dearest rank is cheapest, of those that are considered; the first one of equals.
class Cheapest {
public:
    explicit Cheapest(const Model& model) : model_(model) {}

    void consider(RankShares shares) {
        RankPlan plan = planOf(model_, std::move(shares));
        const double most = std::ranges::max(costsOfRanks(model_, plan));
        if (best_ && most >= cost_) return;
        cost_ = most;
        best_.emplace(std::move(plan));
    }
    bool isEmpty() const { return !best_; }
    const RankShares& shares() const { return best_->shares; }
    RankPlan take() { return std::move(*best_); }

private:
    const Model& model_;
    std::optional<RankPlan> best_;
    double cost_ = 0;
};

}  // namespace

RankPlan planOf(const Model& model, RankShares shares) {
    Owners owners(model, shares);
    std::vector<Crossing> crossings = crossingsOf(model, owners);
    return {std::move(shares), std::move(owners), std::move(crossings)};
}

std::vector<double> costsOfRanks(const Model& model, const RankPlan& plan) {
    std::vector<double> costs = costsOf(model, plan.shares);
    for (std::uint32_t work = 0; work < model.workCount; ++work)
        for (const RankShares::Piece& piece : plan.shares.of(work))
            costs[piece.rank] += target::kRankPieceCost;
    std::set<std::pair<unsigned, unsigned>> pairs;
    for (const Crossing& each : plan.crossings) {
        const std::uint64_t bytes = each.count * model.types[model.planes[each.plane].type].bytes;
        const double cost =
            target::kRankByteCost * static_cast<double>(bytes)
            + (bytes <= sizeof(std::uint64_t) ? target::kRankScalarCost : target::kRankRangeCost);
        costs[each.from] += cost;
        costs[each.to] += cost;
        pairs.insert(std::minmax(each.from, each.to));
    }
    for (const auto& [a, b] : pairs) {
        costs[a] += target::kRankMessageCost;
        costs[b] += target::kRankMessageCost;
    }
    return costs;
}

RankPlan planRanks(const Model& model, unsigned ranks, CutWay way, const Metis* metis) {
    const bool isFree = way == CutWay::Cheapest;
    Cheapest best(model);
    if (isFree || way == CutWay::Blocks) {
        const std::vector<BlockCut> cuts = blockCutsOf(model, ranks, !isFree);
        const auto isOne = [&](const BlockCut& cut) { return areBlocks(cut, ranks); };
        if (std::ranges::any_of(cuts, isOne)) best.consider(sharesOfBlocks(model, ranks, cuts));
    }
    if (isFree || best.isEmpty()) {
        if (way != CutWay::Each) best.consider(sharesOfLists(model, ranks));
        if (way != CutWay::Lists) best.consider(sharesOfEach(model, ranks));
    }
    if (!isFree && way != CutWay::Graph && way != CutWay::Metis) return best.take();
    Cheapest ofGraph(model);
    for (RankShares& shares : graphCuts(model, RankShares(best.shares()), way, metis))
        (isFree ? best : ofGraph).consider(std::move(shares));
    return ofGraph.isEmpty() ? best.take() : ofGraph.take();
}

RankModel::RankModel(const Model& model, const RankShares& shares, unsigned rank) : model_(model) {
    for (std::uint32_t i = 0; i < model.workCount; ++i) {
        shares.forEach(i, [&](InstanceRange range, unsigned of) {
            if (of != rank) return;
            Work& work = work_.emplace_back(model.work[i]);
            work.first = range.begin;
            work.count = range.end - range.begin;
        });
    }
    model_.work = work_.data();
    model_.workCount = static_cast<std::uint32_t>(work_.size());
}

}  // namespace sme
