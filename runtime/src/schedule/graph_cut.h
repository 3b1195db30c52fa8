#pragma once

#include <cstdint>
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

/// Bytes of edges between parts.
double bytesCut(const CutGraph& graph, const std::vector<unsigned>& partOf);

/// Stretches of about equal cost of an order in which each vertex is the one that those before it send
/// most. O((vertices + edges) · log edges).
std::vector<unsigned> growParts(const CutGraph& graph, unsigned parts);

/// Moves and swaps vertices between parts while that lowers the bytes that are cut. The dearest part of
/// a level gets at most target::kUneven above the mean, or stays as dear as it was. Deterministic.
/// O(rounds · (edges + vertices · parts)), and the square of the vertices where they are few.
std::vector<unsigned> improveCut(const CutGraph& graph, std::vector<unsigned> partOf,
                                 unsigned parts);

}  // namespace sme
