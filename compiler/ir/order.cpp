#include "ir/order.h"

#include <algorithm>
#include <numeric>

namespace smec::ir {

namespace {

/// Tarjan's algorithm without recursion: chains may be long.
class Tarjan {
public:
    explicit Tarjan(const Graph& graph)
        : graph_(graph),
          order_(graph.size(), 0),
          low_(graph.size(), 0),
          open_(graph.size(), false) {}

    std::vector<std::vector<std::uint32_t>> run() {
        for (std::uint32_t root = 0; root < graph_.size(); ++root) {
            if (order_[root] == 0) visit(root);
        }
        return std::move(found_);
    }

private:
    struct Frame {
        std::uint32_t node;
        std::size_t next;
    };

    void enter(std::uint32_t node) {
        order_[node] = low_[node] = ++count_;
        open_[node] = true;
        stack_.push_back(node);
        frames_.push_back({node, 0});
    }

    void visit(std::uint32_t root) {
        enter(root);
        while (!frames_.empty()) {
            Frame& frame = frames_.back();
            const std::uint32_t node = frame.node;
            if (frame.next < graph_[node].size()) {
                const std::uint32_t next = graph_[node][frame.next++];
                if (order_[next] == 0)
                    enter(next);
                else if (open_[next])
                    low_[node] = std::min(low_[node], order_[next]);
                continue;
            }
            frames_.pop_back();
            if (!frames_.empty())
                low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[node]);
            if (low_[node] == order_[node]) close(node);
        }
    }

    void close(std::uint32_t node) {
        std::vector<std::uint32_t> component;
        std::uint32_t top = 0;
        do {
            top = stack_.back();
            stack_.pop_back();
            open_[top] = false;
            component.push_back(top);
        } while (top != node);
        std::sort(component.begin(), component.end());
        found_.push_back(std::move(component));
    }

    const Graph& graph_;
    std::vector<std::uint32_t> order_, low_;
    std::vector<bool> open_;
    std::vector<std::uint32_t> stack_;
    std::vector<Frame> frames_;
    std::vector<std::vector<std::uint32_t>> found_;
    std::uint32_t count_ = 0;
};

}  // namespace

std::vector<std::uint32_t> longestPaths(std::uint32_t nodes, std::vector<Edge> edges) {
    std::sort(edges.begin(), edges.end());
    std::vector<std::uint32_t> lengths(nodes, 0), pending(nodes, 0), begin(nodes + 1, 0), ready;
    for (const Edge& edge : edges)
        ++pending[edge.to], ++begin[edge.from + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (std::uint32_t node = 0; node < nodes; ++node) {
        if (pending[node] == 0) ready.push_back(node);
    }
    for (std::size_t next = 0; next < ready.size(); ++next) {
        const std::uint32_t node = ready[next];
        for (std::uint32_t e = begin[node]; e < begin[node + 1]; ++e) {
            const std::uint32_t to = edges[e].to;
            lengths[to] = std::max(lengths[to], lengths[node] + 1);
            if (--pending[to] == 0) ready.push_back(to);
        }
    }
    for (std::uint32_t node = 0; node < nodes; ++node) {
        if (pending[node] != 0) lengths[node] = kEndless;
    }
    return lengths;
}

std::vector<std::vector<std::uint32_t>> components(const Graph& graph) {
    return Tarjan(graph).run();
}

}  // namespace smec::ir
