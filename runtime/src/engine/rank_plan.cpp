#include "engine/rank_plan.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "engine/block_cuts.h"
#include "engine/target.h"
#include "engine/work_cut.h"

namespace sme {
namespace {

double mostOf(const Model& model, const RankPlan& plan) {
    return std::ranges::max(costsOfRanks(model, plan));
}

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

RankPlan planRanks(const Model& model, unsigned ranks) {
    const char* const wanted = std::getenv(kCutVariable);
    const std::string_view only = wanted ? wanted : "";
    std::optional<RankPlan> best;
    double cost = 0;
    const auto consider = [&](RankShares shares) {
        RankPlan plan = planOf(model, std::move(shares));
        const double most = mostOf(model, plan);
        if (best && most >= cost) return;
        cost = most;
        best.emplace(std::move(plan));
    };
    const std::vector<BlockCut> cuts = blockCutsOf(model, ranks, only == "blocks");
    const bool hasBlocks =
        std::ranges::any_of(cuts, [&](const BlockCut& cut) { return areBlocks(cut, ranks); });
    if (hasBlocks && (only.empty() || only == "blocks"))
        consider(sharesOfBlocks(model, ranks, cuts));
    if (!best || only.empty()) {
        if (only != "each") consider(sharesOfLists(model, ranks));
        if (only != "lists") consider(sharesOfEach(model, ranks));
    }
    if (only.empty() || only == "graph") consider(improved(model, best->shares));
    return std::move(*best);
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
