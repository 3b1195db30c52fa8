#pragma once

#include <cstdint>
#include <vector>

namespace smec::ir {

/// From something to what must come after it.
struct Edge {
    std::uint32_t from;
    std::uint32_t to;
    auto operator<=>(const Edge&) const = default;
};

/// What longestPaths() says of nodes in or after a cycle.
inline constexpr std::uint32_t kEndless = UINT32_MAX;

/// For each of nodes 0 … nodes-1 the number of edges of the longest path that ends there. Edges may
/// be given more than once. O(nodes + edges · log(edges)).
std::vector<std::uint32_t> longestPaths(std::uint32_t nodes, std::vector<Edge> edges);

/// By node: those it points to.
using Graph = std::vector<std::vector<std::uint32_t>>;

/// Strongly connected components, each after all that its nodes point to; nodes in ascending order.
/// O(nodes + edges).
std::vector<std::vector<std::uint32_t>> components(const Graph& graph);

}  // namespace smec::ir
