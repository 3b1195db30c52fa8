// Pieces of works are the vertices of a graph. What one reads of another is found as what crosses
// between ranks is: as if each piece were a rank of its own.

#include "engine/work_cut.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/halo.h"
#include "engine/owners.h"
#include "engine/target.h"
#include "schedule/graph_cut.h"

namespace sme {
namespace {

struct Pieces {
    std::vector<std::uint32_t> works;  ///< by piece
    std::vector<InstanceRange> ranges;
    std::vector<unsigned> ranks;  ///< that have them
};

/// Those of shares, each in smaller ones where it may be cut and is dear.
Pieces piecesOf(const Model& model, const RankShares& shares, double cost) {
    Pieces pieces;
    for (std::uint32_t i = 0; i < model.workCount; ++i) {
        const Work& work = model.work[i];
        const std::uint64_t granularity = std::max(1u, work.granularity);
        const auto most = static_cast<std::uint64_t>(cost / std::max(work.cost, 1e-9));
        const std::uint64_t step = std::max(granularity, most / granularity * granularity);
        shares.forEach(i, [&](InstanceRange range, unsigned rank) {
            for (std::uint64_t at = range.begin; at < range.end;) {
                const std::uint64_t end = std::min<std::uint64_t>(at + step, range.end);
                pieces.works.push_back(i);
                pieces.ranges.push_back(
                    {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
                pieces.ranks.push_back(rank);
                at = end;
            }
        });
    }
    return pieces;
}

CutGraph graphOf(const Model& model, const Pieces& pieces) {
    CutGraph graph;
    const auto count = static_cast<unsigned>(pieces.works.size());
    RankShares each(model, count);
    for (unsigned i = 0; i < count; ++i) {
        const Work& work = model.work[pieces.works[i]];
        const InstanceRange range = pieces.ranges[i];
        each.give(pieces.works[i], range.end, i);
        graph.vertices.push_back({work.cost * (range.end - range.begin), work.level});
    }
    for (const Crossing& crossing : crossingsOf(model, Owners(model, each))) {
        const std::uint64_t size = model.types[model.planes[crossing.plane].type].bytes;
        graph.edges.push_back(
            {crossing.from, crossing.to, static_cast<double>(crossing.count * size)});
    }
    return graph;
}

double costOfAll(const Model& model, bool areWhole) {
    double cost = 0;
    for (std::uint32_t i = 0; i < model.workCount; ++i)
        if (!areWhole || isWhole(model.work[i])) cost += model.work[i].cost * model.work[i].count;
    return cost;
}

RankShares dealt(const Model& model, const Pieces& pieces, const std::vector<unsigned>& ranks,
                 unsigned count) {
    RankShares shares(model, count);
    for (std::size_t i = 0; i < ranks.size(); ++i)
        shares.give(pieces.works[i], pieces.ranges[i].end, ranks[i]);
    return shares;
}

}  // namespace

bool isIrregular(const Model& model) {
    return costOfAll(model, true) >= target::kIrregular * costOfAll(model, false);
}

std::vector<RankShares> graphCuts(const Model& model, const RankShares& shares, CutWay way,
                                  const Metis* metis) {
    if (!isIrregular(model)) return {};
    const unsigned ranks = shares.ranks();
    const double cost = costOfAll(model, false);
    const Pieces pieces = piecesOf(model, shares, cost / ranks / target::kPiecesOfRank);
    if (pieces.works.size() <= ranks || pieces.works.size() > target::kMostCutPieces) return {};
    const CutGraph graph = graphOf(model, pieces);
    std::vector<RankShares> cuts;
    const auto take = [&](const std::vector<unsigned>& partOf) {
        cuts.push_back(dealt(model, pieces, partOf, ranks));
    };
    const bool isForced = way == CutWay::Metis;
    if (!isForced) take(improveCut(graph, pieces.ranks, ranks));
    const bool byMetis = metis && (isForced || (way != CutWay::Graph && takesLong(graph)));
    take(byMetis ? metis->cut(graph, ranks) : cutGraph(graph, ranks));
    return cuts;
}

}  // namespace sme
