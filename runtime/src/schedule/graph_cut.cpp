// Vertices 0 1 2 3 of equal cost, edges 0-2 and 1-3, parts {0 1} {2 3}: no vertex may move, since
// parts would become uneven; 1 and 2 are swapped: {0 2} {1 3}, of which nothing is cut.

#include "schedule/graph_cut.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "schedule/target.h"

namespace sme {
namespace {

struct Neighbour {
    std::uint32_t vertex;
    double bytes;
};
using Neighbours = std::vector<std::vector<Neighbour>>;

Neighbours neighboursOf(const CutGraph& graph) {
    Neighbours neighbours(graph.vertices.size());
    for (const CutGraph::Edge& edge : graph.edges) {
        if (edge.a == edge.b) continue;
        neighbours[edge.a].push_back({edge.b, edge.bytes});
        neighbours[edge.b].push_back({edge.a, edge.bytes});
    }
    return neighbours;
}

/// Each vertex after those that it has most to do with; else the first one left.
std::vector<std::uint32_t> orderByBytes(const CutGraph& graph) {
    const Neighbours neighbours = neighboursOf(graph);
    std::vector<std::uint32_t> order;
    std::vector<double> bytes(neighbours.size(), 0);
    std::vector<bool> isTaken(neighbours.size());
    std::priority_queue<std::pair<double, std::uint32_t>> next;
    const auto take = [&](std::uint32_t vertex) {
        if (isTaken[vertex]) return;
        isTaken[vertex] = true;
        order.push_back(vertex);
        for (const Neighbour& each : neighbours[vertex])
            next.emplace(bytes[each.vertex] += each.bytes, each.vertex);
    };
    for (std::uint32_t start = 0; start < neighbours.size(); ++start) {
        for (take(start); !next.empty();) {
            const std::uint32_t vertex = next.top().second;
            next.pop();
            take(vertex);
        }
    }
    return order;
}

class Improvement {
public:
    Improvement(const CutGraph& graph, std::vector<unsigned> partOf, unsigned parts)
        : vertices_(graph.vertices),
          parts_(parts),
          partOf_(std::move(partOf)),
          neighbours_(neighboursOf(graph)),
          bytesTo_(vertices_.size() * parts, 0),
          between_(vertices_.size(), 0) {
        for (const CutGraph::Edge& edge : graph.edges) {
            if (edge.a == edge.b) continue;
            to(edge.a, partOf_[edge.b]) += edge.bytes;
            to(edge.b, partOf_[edge.a]) += edge.bytes;
        }
        weigh();
    }

    std::vector<unsigned> run() {
        const bool areFew = vertices_.size() <= target::kMostSwapped;
        for (unsigned round = 0; round < target::kCutRounds; ++round) {
            bool isBetter = false;
            for (std::uint32_t i = 0; i < vertices_.size(); ++i)
                isBetter = tryMove(i) || (areFew && trySwap(i)) || isBetter;
            if (!isBetter) break;
        }
        return std::move(partOf_);
    }

private:
    double& to(std::uint32_t vertex, unsigned part) {
        return bytesTo_[std::size_t{vertex} * parts_ + part];
    }
    double& load(std::uint32_t level, unsigned part) {
        return loads_[std::size_t{level} * parts_ + part];
    }
    /// What is cut less when a vertex goes to another part.
    double gain(std::uint32_t vertex, unsigned part) {
        return to(vertex, part) - to(vertex, partOf_[vertex]);
    }

    void weigh() {
        std::uint32_t levels = 0;
        for (const CutGraph::Vertex& vertex : vertices_)
            levels = std::max(levels, vertex.level + 1);
        loads_.assign(std::size_t{levels} * parts_, 0);
        for (std::size_t i = 0; i < vertices_.size(); ++i)
            load(vertices_[i].level, partOf_[i]) += vertices_[i].cost;
        for (std::uint32_t level = 0; level < levels; ++level) {
            double sum = 0;
            double most = 0;
            for (unsigned part = 0; part < parts_; ++part) {
                sum += load(level, part);
                most = std::max(most, load(level, part));
            }
            limits_.push_back(std::max(most, (1 + target::kUneven) * sum / parts_));
        }
    }

    bool tryMove(std::uint32_t i) {
        const CutGraph::Vertex& vertex = vertices_[i];
        unsigned best = partOf_[i];
        double most = target::kLeastGain;
        for (unsigned part = 0; part < parts_; ++part) {
            const bool fits = load(vertex.level, part) + vertex.cost <= limits_[vertex.level];
            if (part == partOf_[i] || !fits || gain(i, part) <= most) continue;
            most = gain(i, part);
            best = part;
        }
        if (best == partOf_[i]) return false;
        move(i, best);
        return true;
    }

    bool trySwap(std::uint32_t i) {
        for (const Neighbour& each : neighbours_[i])
            between_[each.vertex] += each.bytes;
        std::uint32_t best = i;
        double most = target::kLeastGain;
        for (std::uint32_t other = 0; other < vertices_.size(); ++other) {
            if (partOf_[other] == partOf_[i] || !canSwap(i, other)) continue;
            const double both =
                gain(i, partOf_[other]) + gain(other, partOf_[i]) - 2 * between_[other];
            if (both <= most) continue;
            most = both;
            best = other;
        }
        for (const Neighbour& each : neighbours_[i])
            between_[each.vertex] = 0;
        if (best == i) return false;
        const unsigned part = partOf_[i];
        move(i, partOf_[best]);
        move(best, part);
        return true;
    }

    bool canSwap(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t level = vertices_[a].level;
        if (vertices_[b].level != level) return false;
        const double more = vertices_[a].cost - vertices_[b].cost;
        return load(level, partOf_[b]) + more <= limits_[level]
               && load(level, partOf_[a]) - more <= limits_[level];
    }

    void move(std::uint32_t i, unsigned part) {
        const CutGraph::Vertex& vertex = vertices_[i];
        load(vertex.level, partOf_[i]) -= vertex.cost;
        load(vertex.level, part) += vertex.cost;
        for (const Neighbour& each : neighbours_[i]) {
            to(each.vertex, partOf_[i]) -= each.bytes;
            to(each.vertex, part) += each.bytes;
        }
        partOf_[i] = part;
    }

    const std::vector<CutGraph::Vertex>& vertices_;
    const unsigned parts_;
    std::vector<unsigned> partOf_;
    const Neighbours neighbours_;
    std::vector<double> bytesTo_;  ///< by vertex, then part
    std::vector<double> between_;  ///< of the vertex at hand, by neighbour; else 0
    std::vector<double> loads_;    ///< by level, then part
    std::vector<double> limits_;   ///< by level
};

}  // namespace

double bytesCut(const CutGraph& graph, const std::vector<unsigned>& partOf) {
    double bytes = 0;
    for (const CutGraph::Edge& edge : graph.edges)
        bytes += partOf[edge.a] == partOf[edge.b] ? 0 : edge.bytes;
    return bytes;
}

std::vector<unsigned> growParts(const CutGraph& graph, unsigned parts) {
    std::vector<double> sums;
    for (const CutGraph::Vertex& vertex : graph.vertices) {
        sums.resize(std::max<std::size_t>(sums.size(), vertex.level + 1));
        sums[vertex.level] += vertex.cost;
    }
    std::vector<double> before(sums.size());
    std::vector<unsigned> partOf(graph.vertices.size());
    for (const std::uint32_t i : orderByBytes(graph)) {
        const CutGraph::Vertex& vertex = graph.vertices[i];
        const double middle = before[vertex.level] + vertex.cost / 2;
        before[vertex.level] += vertex.cost;
        const double all = std::max(sums[vertex.level], target::kLeastGain);
        partOf[i] = std::min(static_cast<unsigned>(middle / all * parts), parts - 1);
    }
    return partOf;
}

std::vector<unsigned> improveCut(const CutGraph& graph, std::vector<unsigned> partOf,
                                 unsigned parts) {
    return Improvement(graph, std::move(partOf), parts).run();
}

}  // namespace sme
