// Vertices 0 1 2 3 of equal cost, edges 0-2 and 1-3, parts {0 1} {2 3}: no vertex may move, since
// parts would become uneven; 1 and 2 are swapped: {0 2} {1 3}, of which nothing is cut.

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

#include "schedule/graph_cut.h"
#include "schedule/target.h"

namespace sme {
namespace {

class Improvement {
public:
    Improvement(const CutGraph& graph, std::vector<unsigned> partOf, unsigned parts)
        : vertices_(graph.vertices),
          parts_(parts),
          partOf_(std::move(partOf)),
          neighbours_(graph),
          bytesTo_(parts, 0) {
        weigh();
        const std::size_t room = vertices_.size() * parts;
        if (vertices_.size() <= target::kMostSwapped && room <= target::kMostSwapRoom)
            countForSwaps();
    }

    std::vector<unsigned> run() {
        makeEven();
        for (std::size_t i = 0; i < limits_.size(); ++i)
            limits_[i] = std::max(limits_[i], dearest(static_cast<std::uint32_t>(i)));
        for (unsigned round = 0; round < target::kCutRounds; ++round) {
            bool isBetter = climb();
            for (std::uint32_t i = 0; !all_.empty() && i < vertices_.size(); ++i)
                isBetter = trySwap(i) || isBetter;
            if (!isBetter) break;
        }
        return std::move(partOf_);
    }

private:
    struct Move {
        double gain;  ///< bytes that are cut less
        std::uint32_t vertex;
        unsigned part;
    };

    double& load(std::uint32_t level, unsigned part) {
        return loads_[std::size_t{level} * parts_ + part];
    }
    double dearest(std::uint32_t level) {
        return *std::max_element(&load(level, 0), &load(level, 0) + parts_);
    }

    void weigh() {
        std::uint32_t levels = 0;
        for (const CutGraph::Vertex& vertex : vertices_)
            levels = std::max(levels, vertex.level + 1);
        loads_.assign(std::size_t{levels} * parts_, 0);
        std::vector<double> sums(levels);
        for (std::size_t i = 0; i < vertices_.size(); ++i) {
            load(vertices_[i].level, partOf_[i]) += vertices_[i].cost;
            sums[vertices_[i].level] += vertices_[i].cost;
        }
        for (const double sum : sums)
            limits_.push_back((1 + target::kUneven) * sum / parts_);
    }

    void countForSwaps() {
        all_.resize(vertices_.size() * parts_);
        between_.resize(vertices_.size());
        for (std::uint32_t i = 0; i < vertices_.size(); ++i)
            for (const Neighbours::Neighbour& each : neighbours_.of(i))
                to(i, partOf_[each.vertex]) += each.bytes;
    }

    /// Where there are all_.
    double& to(std::uint32_t vertex, unsigned part) {
        return all_[std::size_t{vertex} * parts_ + part];
    }
    double gain(std::uint32_t vertex, unsigned part) {
        return to(vertex, part) - to(vertex, partOf_[vertex]);
    }

    /// The best part for a vertex of those that have room, other than its own one: one that its
    /// neighbours are on, or the one with least. Its own where there is none.
    Move bestMove(std::uint32_t i) {
        const CutGraph::Vertex& vertex = vertices_[i];
        const unsigned own = partOf_[i];
        const double room = limits_[vertex.level] - vertex.cost;
        found_.clear();
        for (const Neighbours::Neighbour& each : neighbours_.of(i)) {
            const unsigned part = partOf_[each.vertex];
            if (bytesTo_[part] == 0) found_.push_back(part);
            bytesTo_[part] += each.bytes;
        }
        Move best{0, i, own};
        double mostBytes = -1;
        for (const unsigned part : found_) {
            const bool fits = part != own && load(vertex.level, part) <= room;
            if (!fits || bytesTo_[part] <= mostBytes) continue;
            mostBytes = bytesTo_[part];
            best.part = part;
        }
        best.gain = mostBytes - bytesTo_[own];
        for (const unsigned part : found_)
            bytesTo_[part] = 0;
        return best;
    }

    /// Takes vertices from parts that are too dear, as long as there is room elsewhere.
    void makeEven() {
        for (unsigned round = 0; round < target::kEvenRounds; ++round) {
            std::vector<Move> moves;
            for (std::uint32_t i = 0; i < vertices_.size(); ++i)
                if (isTooDear(i)) moves.push_back(moveAway(i));
            std::ranges::stable_sort(moves, std::ranges::greater(), &Move::gain);
            bool isMoved = false;
            for (const Move& each : moves) {
                const CutGraph::Vertex& vertex = vertices_[each.vertex];
                const bool fits =
                    load(vertex.level, each.part) + vertex.cost
                    <= std::max(limits_[vertex.level],
                                load(vertex.level, partOf_[each.vertex]) - target::kLeastGain);
                if (each.part == partOf_[each.vertex] || !isTooDear(each.vertex) || !fits) continue;
                move(each.vertex, each.part);
                isMoved = true;
            }
            if (!isMoved) break;
        }
    }

    bool isTooDear(std::uint32_t i) {
        return load(vertices_[i].level, partOf_[i]) > limits_[vertices_[i].level];
    }

    /// To a part that its neighbours are on, or to the cheapest.
    Move moveAway(std::uint32_t i) {
        Move best = bestMove(i);
        if (best.part != partOf_[i]) return best;
        const double* const first = &load(vertices_[i].level, 0);
        best.part = static_cast<unsigned>(std::min_element(first, first + parts_) - first);
        return best;
    }

    /// Moves each vertex once at most, the one with most gain first, also where it is a loss: what
    /// did not come to a gain in the end is taken back.
    bool climb() {
        isMoved_.assign(vertices_.size(), false);
        gains_.assign(vertices_.size(), -std::numeric_limits<double>::infinity());
        next_ = {};
        for (std::uint32_t i = 0; i < vertices_.size(); ++i)
            offer(i);
        const std::size_t mostVain = target::kFewInVain + vertices_.size() / target::kPartInVain;
        std::vector<std::pair<std::uint32_t, unsigned>> moved;  // and where they were
        std::size_t kept = 0;
        double gain = 0;
        double most = target::kLeastGain;
        while (!next_.empty() && moved.size() - kept <= mostVain) {
            const auto [offered, i] = next_.top();
            next_.pop();
            if (isMoved_[i] || offered != gains_[i]) continue;
            const Move best = bestMove(i);
            if (best.part == partOf_[i] || best.gain != offered) {  // no room any more, or again
                offer(i);
                continue;
            }
            moved.emplace_back(i, partOf_[i]);
            move(i, best.part);
            isMoved_[i] = true;
            gain += best.gain;
            if (gain > most) {
                most = gain;
                kept = moved.size();
            }
            for (const Neighbours::Neighbour& each : neighbours_.of(i))
                if (!isMoved_[each.vertex]) offer(each.vertex);
        }
        for (std::size_t i = moved.size(); i-- > kept;)
            move(moved[i].first, moved[i].second);
        return kept > 0;
    }

    /// For the next moves of climb().
    void offer(std::uint32_t i) {
        const Move best = bestMove(i);
        const bool isThere = best.part != partOf_[i];
        const double gain = isThere ? best.gain : -std::numeric_limits<double>::infinity();
        if (gain == gains_[i]) return;
        gains_[i] = gain;
        if (!isThere) return;
        next_.emplace(best.gain, i);
    }

    bool trySwap(std::uint32_t i) {
        for (const Neighbours::Neighbour& each : neighbours_.of(i))
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
        for (const Neighbours::Neighbour& each : neighbours_.of(i))
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
        if (!all_.empty()) {
            for (const Neighbours::Neighbour& each : neighbours_.of(i)) {
                to(each.vertex, partOf_[i]) -= each.bytes;
                to(each.vertex, part) += each.bytes;
            }
        }
        partOf_[i] = part;
    }

    const std::vector<CutGraph::Vertex>& vertices_;
    const unsigned parts_;
    std::vector<unsigned> partOf_;
    const Neighbours neighbours_;
    std::vector<double> bytesTo_;  ///< of the vertex at hand, by part; else 0
    std::vector<unsigned> found_;  ///< parts that the vertex at hand has to do with
    std::vector<bool> isMoved_;    ///< in this climb()
    std::vector<double> gains_;    ///< that were offered last, by vertex
    std::priority_queue<std::pair<double, std::uint32_t>> next_;
    std::vector<double> all_;      ///< by vertex, then part; empty: nothing is swapped
    std::vector<double> between_;  ///< of the vertex at hand, by neighbour; else 0
    std::vector<double> loads_;    ///< by level, then part
    std::vector<double> limits_;   ///< by level
};

}  // namespace

std::vector<unsigned> improveCut(const CutGraph& graph, std::vector<unsigned> partOf,
                                 unsigned parts) {
    return Improvement(graph, std::move(partOf), parts).run();
}

}  // namespace sme
