#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

// Orders and components of directed graphs. Nodes are numbers from 0; what an edge means its user
// says. All of it runs without recursion, so that a chain may be as long as memory lets it, and
// gives the same result for the same graph: ties are broken as each function says, by numbers of
// nodes and by the order in which a node's edges were given.

namespace smec {

struct Edge {
    std::uint32_t from;
    std::uint32_t to;
    auto operator<=>(const Edge&) const = default;
};

/// Edges by the node that they leave. A node may point to itself, and to another several times:
/// all of them are kept. At most 2^32 - 1 edges.
class Graph {
public:
    Graph() = default;
    /// Edges between nodes 0 … nodes-1, in any order; those of one node stay in the order in which
    /// they are given. O(nodes + edges).
    Graph(std::uint32_t nodes, std::span<const Edge> edges);
    /// By node: those that it points to.
    Graph(std::initializer_list<std::initializer_list<std::uint32_t>> targets);

    /// One more node, numbered size(), which points to `targets`. Some of them may be added later,
    /// but all before the graph is used.
    void add(std::span<const std::uint32_t> targets);

    std::uint32_t size() const { return static_cast<std::uint32_t>(begin_.size() - 1); }
    /// Those that a node points to. Holds until add().
    std::span<const std::uint32_t> operator[](std::uint32_t node) const {
        return {targets_.data() + begin_[node], targets_.data() + begin_[node + 1]};
    }

private:
    std::vector<std::uint32_t> begin_{0};  ///< by node, and the end: of targets_
    std::vector<std::uint32_t> targets_;
};

/// Lists of nodes.
class NodeLists {
public:
    std::size_t size() const { return begin_.size() - 1; }
    std::span<const std::uint32_t> operator[](std::size_t list) const {
        return std::span(nodes_).subspan(begin_[list], begin_[list + 1] - begin_[list]);
    }

    void add(std::span<const std::uint32_t> nodes);
    /// Calls f(list) for each.
    template <typename F>
    void forEach(F&& f) const {
        for (std::size_t i = 0; i < size(); ++i)
            f((*this)[i]);
    }

private:
    std::vector<std::size_t> begin_{0};
    std::vector<std::uint32_t> nodes_;
};

/// Strongly connected components (Tarjan 1972), each behind all others that its nodes point to;
/// nodes in ascending order. Of what is free, the component comes first that is met first by a walk
/// in depth that starts at nodes in ascending order and follows edges as they were given. A node
/// alone is a component; whether it points to itself the graph says. O(nodes · log(nodes) + edges).
NodeLists componentsOf(const Graph& graph);

/// Whether the nodes of a component can reach themselves: several, or one that points to itself.
bool isCyclic(const Graph& graph, std::span<const std::uint32_t> component);

/// Which of the nodes that are free comes next.
enum class Ties : std::uint8_t {
    Lowest,  ///< that of the lowest number
    Latest,  ///< that which became free last; of those free at first, and by one edge, the highest
             ///< number or the edge given last
};

/// Nodes behind all that point to them (Kahn 1962). Those that are in a cycle or behind one, so
/// also those that point to themselves, are left out: the order is of all nodes where it is as long
/// as the graph. O(nodes + edges), with Ties::Lowest times log(nodes).
std::vector<std::uint32_t> topologicalOrder(const Graph& graph, Ties ties);

struct Postorder {
    std::vector<std::uint32_t> nodes;
    bool isAcyclic = true;  ///< each of `nodes` is behind all that it points to
};

/// All that can be reached from `roots`, each once, in the order in which a walk in depth leaves
/// them: it starts at the roots, one after the other, and follows edges as they were given. So nodes
/// are behind those that they point to, but for edges that close a cycle. O(nodes + edges).
Postorder postorder(const Graph& graph, std::span<const std::uint32_t> roots);

/// What longestPaths() says of nodes in or behind a cycle, also one of a node alone.
inline constexpr std::uint32_t kEndless = UINT32_MAX;

/// For each node the number of edges of the longest path that ends there. O(nodes + edges).
std::vector<std::uint32_t> longestPaths(const Graph& graph);

/// Which nodes are free of nodes that point to them, for who chooses among those by himself.
class FreeNodes {
public:
    /// Holds a reference to the graph. O(nodes + edges).
    explicit FreeNodes(const Graph& graph);
    explicit FreeNodes(Graph&&) = delete;

    /// Whether every edge to it is from a node that was taken.
    bool has(std::uint32_t node) const { return waits_[node] == 0; }

    /// Takes a free node, once. Calls f(node) for each that becomes free by that, in the order of
    /// the edges.
    template <typename F>
    void take(std::uint32_t node, F&& f) {
        for (const std::uint32_t target : graph_[node])
            if (--waits_[target] == 0) f(target);
    }

private:
    const Graph& graph_;
    std::vector<std::uint32_t> waits_;  ///< by node: edges from those not taken
};

}  // namespace smec
