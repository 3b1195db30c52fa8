#include "ir/order.h"

#include <algorithm>
#include <numeric>

namespace smec::ir {

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

}  // namespace smec::ir
