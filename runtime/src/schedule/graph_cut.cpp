// A grid of 4 × 4 vertices, two parts. Pairs become one, and pairs of these, until few are left;
// their cut is that of all, and is improved whenever they fall apart:
//
//   a a b b     A A B B     0 0 1 1     0 0 1 1
//   c c d d     A A B B     0 0 1 1     0 0 1 1
//   e e f f     E E F F     0 0 1 1     0 0 1 1
//   g g h h     E E F F     0 0 1 1     0 0 1 1

#include "schedule/graph_cut.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "schedule/target.h"

namespace sme {
namespace {

constexpr std::uint32_t kUnpaired = ~std::uint32_t{0};

/// Each vertex after those that it has most to do with, from `start` on; else the first one left.
std::vector<std::uint32_t> orderByBytes(const Neighbours& neighbours, std::uint32_t count,
                                        std::uint32_t start) {
    std::vector<std::uint32_t> order;
    std::vector<double> bytes(count, 0);
    std::vector<bool> isTaken(count);
    std::priority_queue<std::pair<double, std::uint32_t>> next;
    const auto take = [&](std::uint32_t vertex) {
        if (isTaken[vertex]) return;
        isTaken[vertex] = true;
        order.push_back(vertex);
        for (const Neighbours::Neighbour& each : neighbours.of(vertex))
            next.emplace(bytes[each.vertex] += each.bytes, each.vertex);
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        for (take((start + i) % count); !next.empty();) {
            const std::uint32_t vertex = next.top().second;
            next.pop();
            take(vertex);
        }
    }
    return order;
}

/// Stretches of about equal cost of an order, those of each level by themselves.
std::vector<unsigned> dealt(const CutGraph& graph, const std::vector<std::uint32_t>& order,
                            unsigned parts) {
    std::vector<double> sums;
    for (const CutGraph::Vertex& vertex : graph.vertices) {
        sums.resize(std::max<std::size_t>(sums.size(), vertex.level + 1));
        sums[vertex.level] += vertex.cost;
    }
    std::vector<double> before(sums.size());
    std::vector<unsigned> partOf(graph.vertices.size());
    for (const std::uint32_t i : order) {
        const CutGraph::Vertex& vertex = graph.vertices[i];
        const double middle = before[vertex.level] + vertex.cost / 2;
        before[vertex.level] += vertex.cost;
        const double all = std::max(sums[vertex.level], target::kLeastGain);
        partOf[i] = std::min(static_cast<unsigned>(middle / all * parts), parts - 1);
    }
    return partOf;
}

/// The best of several.
std::vector<unsigned> cutSmall(const CutGraph& graph, unsigned parts) {
    const auto count = static_cast<std::uint32_t>(graph.vertices.size());
    const Neighbours neighbours(graph);
    std::vector<unsigned> best;
    double least = 0;
    const std::uint32_t starts = count <= target::kMostOfStarts ? target::kCutStarts : 1;
    for (std::uint32_t i = 0; i < starts; ++i) {
        const auto start = static_cast<std::uint32_t>(std::uint64_t{count} * i / starts);
        std::vector<unsigned> grown =
            improveCut(graph, dealt(graph, orderByBytes(neighbours, count, start), parts), parts);
        const double bytes = bytesCut(graph, grown);
        if (!best.empty() && bytes >= least) continue;
        least = bytes;
        best = std::move(grown);
    }
    return best;
}

/// A graph with one vertex for some of another one.
struct Coarse {
    CutGraph graph;
    std::vector<std::uint32_t> placeOf;  ///< by vertex of the other one
};

/// All vertices, as if by chance, in another order for each `state`: neighbours in number are often neighbours in the graph.
std::vector<std::uint32_t> mixed(std::uint32_t count, std::uint64_t state) {
    std::vector<std::uint32_t> order(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        state = state * 6364136223846793005 + 1442695040888963407;
        const auto other = static_cast<std::uint32_t>((state >> 33) % (i + 1));
        order[i] = order[other];
        order[other] = i;
    }
    return order;
}

/// Pairs of a level that have most to do with each other become one, none dearer than `most`.
Coarse inPairs(const CutGraph& graph, double most, std::uint64_t chance) {
    const auto count = static_cast<std::uint32_t>(graph.vertices.size());
    const Neighbours neighbours(graph);
    Coarse coarse;
    coarse.placeOf.assign(count, kUnpaired);
    for (const std::uint32_t i : mixed(count, chance)) {
        if (coarse.placeOf[i] != kUnpaired) continue;
        const CutGraph::Vertex& own = graph.vertices[i];
        std::uint32_t best = i;
        double bytes = 0;
        for (const Neighbours::Neighbour& each : neighbours.of(i)) {
            const CutGraph::Vertex& other = graph.vertices[each.vertex];
            const bool fits = coarse.placeOf[each.vertex] == kUnpaired && other.level == own.level
                              && own.cost + other.cost <= most;
            if (!fits || each.bytes <= bytes) continue;
            bytes = each.bytes;
            best = each.vertex;
        }
        const auto place = static_cast<std::uint32_t>(coarse.graph.vertices.size());
        coarse.graph.vertices.push_back(own);
        coarse.placeOf[i] = coarse.placeOf[best] = place;
        if (best != i) coarse.graph.vertices.back().cost += graph.vertices[best].cost;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        for (const Neighbours::Neighbour& each : neighbours.of(i)) {
            const std::uint32_t a = coarse.placeOf[i];
            const std::uint32_t b = coarse.placeOf[each.vertex];
            if (i < each.vertex && a != b) coarse.graph.edges.push_back({a, b, each.bytes});
        }
    }
    return coarse;
}

/// Through graphs of ever fewer vertices and back.
std::vector<unsigned> cutOnce(const CutGraph& graph, unsigned parts, std::uint64_t chance) {
    const std::size_t few = std::max(target::kFewVertices, target::kFewOfPart * parts);
    double cost = 0;
    for (const CutGraph::Vertex& vertex : graph.vertices)
        cost += vertex.cost;
    const double most = target::kDearestPair * cost / static_cast<double>(few);
    std::vector<Coarse> smaller;
    const auto last = [&]() -> const CutGraph& {
        return smaller.empty() ? graph : smaller.back().graph;
    };
    while (last().vertices.size() > few) {
        Coarse next = inPairs(last(), most, chance);
        const auto left = static_cast<double>(next.graph.vertices.size());
        if (left > target::kLeastPairing * static_cast<double>(last().vertices.size())) break;
        smaller.push_back(std::move(next));
    }
    std::vector<unsigned> partOf = cutSmall(last(), parts);
    while (!smaller.empty()) {
        const std::vector<std::uint32_t> placeOf = std::move(smaller.back().placeOf);
        smaller.pop_back();
        std::vector<unsigned> finer;
        for (const std::uint32_t place : placeOf)
            finer.push_back(partOf[place]);
        partOf = improveCut(last(), std::move(finer), parts);
    }
    return partOf;
}

}  // namespace

Neighbours::Neighbours(const CutGraph& graph) : begins_(graph.vertices.size() + 1) {
    std::vector<std::size_t> at(graph.vertices.size() + 1);
    for (const CutGraph::Edge& edge : graph.edges) {
        ++at[edge.a];
        ++at[edge.b];
    }
    std::size_t sum = 0;
    for (std::size_t& each : at)
        sum += std::exchange(each, sum);
    all_.resize(sum);
    for (const CutGraph::Edge& edge : graph.edges) {
        all_[at[edge.a]++] = {edge.b, edge.bytes};
        all_[at[edge.b]++] = {edge.a, edge.bytes};
    }
    std::size_t begin = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < graph.vertices.size(); ++i) {
        const std::span own = std::span(all_).subspan(begin, at[i] - begin);
        begin = at[i];
        std::ranges::sort(own, {}, &Neighbour::vertex);
        begins_[i] = kept;
        for (const Neighbour each : own) {
            if (each.vertex == i) continue;
            const bool isSame = kept > begins_[i] && all_[kept - 1].vertex == each.vertex;
            isSame ? void(all_[kept - 1].bytes += each.bytes) : void(all_[kept++] = each);
        }
    }
    begins_.back() = kept;
}

double bytesCut(const CutGraph& graph, const std::vector<unsigned>& partOf) {
    double bytes = 0;
    for (const CutGraph::Edge& edge : graph.edges)
        bytes += partOf[edge.a] == partOf[edge.b] ? 0 : edge.bytes;
    return bytes;
}

double mostCut(const CutGraph& graph, const std::vector<unsigned>& partOf, unsigned parts) {
    std::vector<double> bytes(parts);
    for (const CutGraph::Edge& edge : graph.edges) {
        if (partOf[edge.a] == partOf[edge.b]) continue;
        bytes[partOf[edge.a]] += edge.bytes;
        bytes[partOf[edge.b]] += edge.bytes;
    }
    return std::ranges::max(bytes);
}

bool takesLong(const CutGraph& graph) { return graph.edges.size() > target::kCutEdges; }

std::vector<unsigned> cutGraph(const CutGraph& graph, unsigned parts) {
    if (graph.vertices.empty()) return {};
    const std::size_t times = std::clamp<std::size_t>(
        target::kCutEdges / std::max<std::size_t>(1, graph.edges.size()), 1, target::kMostCuts);
    std::vector<unsigned> best;
    double least = 0;
    for (std::size_t chance = 1; chance <= times; ++chance) {
        std::vector<unsigned> partOf = cutOnce(graph, parts, chance);
        const double bytes = mostCut(graph, partOf, parts);
        if (!best.empty() && bytes >= least) continue;
        least = bytes;
        best = std::move(partOf);
    }
    return best;
}

}  // namespace sme
