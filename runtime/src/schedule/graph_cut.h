#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sme {

/// What is to be shared out, and what it sends one another.
struct CutGraph {
    struct Vertex {
        double cost;
        std::uint32_t level;  ///< those of one level are balanced among themselves
    };
    struct Edge {
        std::uint32_t a;
        std::uint32_t b;
        double bytes;
    };
    std::vector<Vertex> vertices;
    std::vector<Edge> edges;
};

/// Who has to do with whom, and how much; of two vertices once.
class Neighbours {
public:
    struct Neighbour {
        std::uint32_t vertex;
        double bytes;
    };
    explicit Neighbours(const CutGraph& graph);
    std::span<const Neighbour> of(std::uint32_t vertex) const {
        return std::span(all_).subspan(begins_[vertex], begins_[vertex + 1] - begins_[vertex]);
    }

private:
    std::vector<std::size_t> begins_;  ///< by vertex, and the end
    std::vector<Neighbour> all_;
};

/// Bytes of edges between parts.
double bytesCut(const CutGraph& graph, const std::vector<unsigned>& partOf);

/// The same of the part of which most are between it and others.
double mostCut(const CutGraph& graph, const std::vector<unsigned>& partOf, unsigned parts);

/// Moves and swaps vertices between parts while that lowers the bytes that are cut, after those that
/// make parts even. The dearest part of a level gets at most target::kUneven above the mean, or stays
/// as dear as it was. Deterministic. O(rounds · edges), and the square of the vertices where they are
/// few.
std::vector<unsigned> improveCut(const CutGraph& graph, std::vector<unsigned> partOf,
                                 unsigned parts);

/// Parts that little crosses between: of a graph of ever more vertices in one, of which the smallest
/// is cut in several ways, and what is best improved from graph to graph. Deterministic.
/// O(edges · log vertices).
std::vector<unsigned> cutGraph(const CutGraph& graph, unsigned parts);

/// Whether that takes a tenth of a second and more.
bool takesLong(const CutGraph& graph);

}  // namespace sme
