#pragma once

#include <cstdint>
#include <vector>

namespace smec::ir {

/// From something to what must come behind it.
struct Edge {
    std::uint32_t from;
    std::uint32_t to;
    auto operator<=>(const Edge&) const = default;
};

/// What longestPaths() says of nodes in or behind a cycle.
inline constexpr std::uint32_t kEndless = UINT32_MAX;

/// For each of nodes 0 … nodes-1 the number of edges of the longest path that ends there. Edges may
/// be given more than once. O(nodes + edges · log(edges)).
std::vector<std::uint32_t> longestPaths(std::uint32_t nodes, std::vector<Edge> edges);

}  // namespace smec::ir
