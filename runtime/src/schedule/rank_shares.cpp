// Works a (10 instances, granularity 4) and b (6 instances, granularity 1) of equal cost, two
// ranks. Lists: {a0-8} {a8-10 b0-6}. Of each: {a0-4 b0-3} {a4-10 b3-6}.

#include "schedule/rank_shares.h"

#include <algorithm>

#include <sme/fnv1a.h>

#include "schedule/orchestrate.h"
#include "schedule/plan.h"

namespace sme {
namespace {

/// The legal place in a work at `part` of `parts`.
std::uint32_t placeIn(const Work& work, unsigned part, unsigned parts) {
    if (part == parts) return work.count;
    const std::uint32_t granularity = std::max(1u, work.granularity);
    const std::uint64_t middle = std::uint64_t{work.count} * part / parts;
    const auto place =
        static_cast<std::uint32_t>((middle + granularity / 2) / granularity) * granularity;
    return std::min(place, work.count);
}

/// Deals the indivisible works of a level in order.
void dealWhole(const Model& model, std::uint32_t level, RankShares& shares) {
    double all = 0;
    const auto isDealt = [&](const Work& work) { return work.level == level && isWhole(work); };
    const auto costOf = [](const Work& work) { return std::max(work.cost * work.count, 1e-9); };
    for (std::uint32_t i = 0; i < model.workCount; ++i)
        all += isDealt(model.work[i]) ? costOf(model.work[i]) : 0;
    double before = 0;
    for (std::uint32_t i = 0; i < model.workCount; ++i) {
        const Work& work = model.work[i];
        if (!isDealt(work)) continue;
        const double middle = before + costOf(work) / 2;
        before += costOf(work);
        const auto rank = static_cast<unsigned>(middle / all * shares.ranks());
        shares.give(i, work.count, std::min(rank, shares.ranks() - 1));
    }
}

}  // namespace

bool isWhole(const Work& work) { return work.granularity >= work.count; }

void dealWhole(const Model& model, RankShares& shares) {
    for (std::uint32_t level = 0; level < model.levels; ++level)
        dealWhole(model, level, shares);
}

void RankShares::give(std::uint32_t work, std::uint32_t end, unsigned rank) {
    std::vector<Piece>& pieces = pieces_[work];
    const std::uint32_t begin = pieces.empty() ? 0 : pieces.back().end;
    if (end <= begin) return;
    if (!pieces.empty() && pieces.back().rank == rank)
        pieces.back().end = end;
    else
        pieces.push_back({end, rank});
}

std::uint64_t numberOf(const Model& model, const RankShares& shares) {
    std::uint64_t number = kFnv1aStart;
    const auto add = [&](std::uint64_t value) { number = fnv1aStep(number, value); };
    for (std::uint32_t work = 0; work < model.workCount; ++work) {
        for (const RankShares::Piece& piece : shares.of(work)) {
            add(work);
            add(piece.end);
            add(piece.rank);
        }
    }
    return number;
}

RankShares sharesOfLists(const Model& model, unsigned ranks) {
    RankShares shares(model, ranks);
    for (std::uint32_t level = 0; level < model.levels; ++level) {
        const Slices slices = slice(LevelList(model, level), ranks, Orchestrate::Even);
        for (unsigned rank = 0; rank < ranks; ++rank) {
            for (const Unit& unit : slices[rank])
                shares.give(unit.work, unit.end, rank);
        }
    }
    return shares;
}

RankShares sharesOfEach(const Model& model, unsigned ranks) {
    RankShares shares(model, ranks);
    dealWhole(model, shares);
    for (std::uint32_t i = 0; i < model.workCount; ++i) {
        const Work& work = model.work[i];
        if (isWhole(work)) continue;
        for (unsigned rank = 0; rank < ranks; ++rank)
            shares.give(i, placeIn(work, rank + 1, ranks), rank);
    }
    return shares;
}

std::vector<double> costsOf(const Model& model, const RankShares& shares) {
    std::vector<double> costs(shares.ranks(), 0);
    for (std::uint32_t work = 0; work < model.workCount; ++work) {
        shares.forEach(work, [&](InstanceRange range, unsigned rank) {
            costs[rank] += (range.end - range.begin) * model.work[work].cost;
        });
    }
    return costs;
}

}  // namespace sme
