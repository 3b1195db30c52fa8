#include "engine/rank_plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/target.h"

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
    std::set<std::pair<unsigned, unsigned>> pairs;
    for (const Crossing& each : plan.crossings) {
        const std::uint64_t bytes = each.count * model.types[model.planes[each.plane].type].bytes;
        const double cost =
            target::kRankByteCost * static_cast<double>(bytes) + target::kRankRangeCost;
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
    RankPlan lists = planOf(model, sharesOfLists(model, ranks));
    RankPlan each = planOf(model, sharesOfEach(model, ranks));
    return mostOf(model, each) < mostOf(model, lists) ? std::move(each) : std::move(lists);
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
