#include "source/graph.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

#include "source/internal_error.h"

namespace smec {

namespace {

/// A node on the way from a root to where a walk is, and which of its edges comes next.
struct Step {
    std::uint32_t node;
    std::uint32_t edge;
};

/// Tarjan's algorithm.
class Components {
public:
    explicit Components(const Graph& graph)
        : graph_(graph), met_(graph.size(), 0), low_(graph.size(), 0) {}

    NodeLists run() {
        for (std::uint32_t root = 0; root < graph_.size(); ++root)
            if (met_[root] == 0) walk(root);
        return std::move(found_);
    }

private:
    static constexpr std::uint32_t kClosed = UINT32_MAX;  ///< of met_: its component is known

    void enter(std::uint32_t node) {
        met_[node] = low_[node] = ++count_;
        open_.push_back(node);
        path_.push_back({node, 0});
    }

    void walk(std::uint32_t root) {
        enter(root);
        while (!path_.empty()) {
            const std::uint32_t node = path_.back().node;
            const std::span<const std::uint32_t> targets = graph_[node];
            if (path_.back().edge < targets.size()) {
                const std::uint32_t target = targets[path_.back().edge++];
                if (met_[target] == 0)
                    enter(target);
                else  // kClosed is above all
                    low_[node] = std::min(low_[node], met_[target]);
                continue;
            }
            path_.pop_back();
            if (!path_.empty())
                low_[path_.back().node] = std::min(low_[path_.back().node], low_[node]);
            if (low_[node] == met_[node]) close(node);
        }
    }

    void close(std::uint32_t node) {
        std::size_t first = open_.size();
        do
            met_[open_[--first]] = kClosed;
        while (open_[first] != node);
        const std::span component = std::span(open_).subspan(first);
        std::ranges::sort(component);
        found_.add(component);
        open_.resize(first);
    }

    const Graph& graph_;
    std::vector<std::uint32_t> met_;   ///< by node: when, from 1; 0: not yet
    std::vector<std::uint32_t> low_;   ///< by node: the least of met_ that it reaches
    std::vector<std::uint32_t> open_;  ///< met, and their components are not known
    std::vector<Step> path_;
    NodeLists found_;
    std::uint32_t count_ = 0;
};

template <typename Queue>
std::vector<std::uint32_t> inOrder(const Graph& graph, Queue queue) {
    FreeNodes free(graph);
    std::vector<std::uint32_t> order;
    order.reserve(graph.size());
    for (std::uint32_t node = 0; node < graph.size(); ++node)
        if (free.has(node)) queue.push(node);
    while (!queue.empty()) {
        order.push_back(queue.top());
        queue.pop();
        free.take(order.back(), [&](std::uint32_t node) { queue.push(node); });
    }
    return order;
}

/// The last one first. A std::stack without pages of its own.
class Stack {
public:
    void push(std::uint32_t node) { nodes_.push_back(node); }
    void pop() { nodes_.pop_back(); }
    std::uint32_t top() const { return nodes_.back(); }
    bool empty() const { return nodes_.empty(); }

private:
    std::vector<std::uint32_t> nodes_;
};

}  // namespace

Graph::Graph(std::uint32_t nodes, std::span<const Edge> edges)
    : begin_(std::size_t{nodes} + 1, 0), targets_(edges.size()) {
    require(edges.size() <= UINT32_MAX, "too many edges");
    for (const Edge& edge : edges)
        ++begin_[edge.from + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (const Edge& edge : edges)
        targets_[next[edge.from]++] = edge.to;
}

Graph::Graph(std::initializer_list<std::initializer_list<std::uint32_t>> targets) {
    for (const std::initializer_list<std::uint32_t>& list : targets)
        add(std::span(list.begin(), list.size()));
}

void Graph::add(std::span<const std::uint32_t> targets) {
    targets_.insert(targets_.end(), targets.begin(), targets.end());
    require(targets_.size() <= UINT32_MAX, "too many edges");
    begin_.push_back(static_cast<std::uint32_t>(targets_.size()));
}

void NodeLists::add(std::span<const std::uint32_t> nodes) {
    nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
    begin_.push_back(nodes_.size());
}

NodeLists componentsOf(const Graph& graph) { return Components(graph).run(); }

bool isCyclic(const Graph& graph, std::span<const std::uint32_t> component) {
    return component.size() > 1
           || std::ranges::find(graph[component.front()], component.front())
                  != graph[component.front()].end();
}

std::vector<std::uint32_t> topologicalOrder(const Graph& graph, Ties ties) {
    if (ties == Ties::Latest) return inOrder(graph, Stack());
    return inOrder(
        graph, std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>());
}

Postorder postorder(const Graph& graph, std::span<const std::uint32_t> roots) {
    enum class State : std::uint8_t { New, Open, Left };
    Postorder result;
    std::vector<State> states(graph.size(), State::New);
    std::vector<Step> path;
    const auto enter = [&](std::uint32_t node) {
        if (states[node] == State::New) {
            states[node] = State::Open;
            path.push_back({node, 0});
        } else if (states[node] == State::Open) {
            result.isAcyclic = false;
        }
    };
    for (const std::uint32_t root : roots) {
        enter(root);
        while (!path.empty()) {
            const std::uint32_t node = path.back().node;
            const std::span<const std::uint32_t> targets = graph[node];
            if (path.back().edge < targets.size()) {
                enter(targets[path.back().edge++]);
                continue;
            }
            states[node] = State::Left;
            result.nodes.push_back(node);
            path.pop_back();
        }
    }
    return result;
}

std::vector<std::uint32_t> longestPaths(const Graph& graph) {
    FreeNodes free(graph);
    std::vector<std::uint32_t> lengths(graph.size(), 0), order;
    order.reserve(graph.size());
    for (std::uint32_t node = 0; node < graph.size(); ++node)
        if (free.has(node)) order.push_back(node);
    for (std::size_t next = 0; next < order.size(); ++next) {
        const std::uint32_t node = order[next];
        for (const std::uint32_t target : graph[node])
            lengths[target] = std::max(lengths[target], lengths[node] + 1);
        free.take(node, [&](std::uint32_t target) { order.push_back(target); });
    }
    for (std::uint32_t node = 0; node < graph.size(); ++node)
        if (!free.has(node)) lengths[node] = kEndless;
    return lengths;
}

FreeNodes::FreeNodes(const Graph& graph) : graph_(graph), waits_(graph.size(), 0) {
    for (std::uint32_t node = 0; node < graph.size(); ++node)
        for (const std::uint32_t target : graph[node])
            ++waits_[target];
}

}  // namespace smec
