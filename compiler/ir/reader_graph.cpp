#include "ir/reader_graph.h"

#include <algorithm>

namespace smec::ir {

ReaderGraph::ReaderGraph(const Design& design) {
    std::vector<Edge> edges;
    std::vector<std::uint32_t> writers;
    for (std::uint32_t reader = 0; reader < design.classes.size(); ++reader) {
        isCombinational_.push_back(design.classes[reader].combinational);
        writers.clear();
        forEachRead(design, reader, [&](const Read& read) {
            if (read.isInSameCycle()) writers.push_back(read.writer);
        });
        std::sort(writers.begin(), writers.end());
        writers.erase(std::unique(writers.begin(), writers.end()), writers.end());
        for (const std::uint32_t writer : writers)
            edges.push_back({writer, reader});
        sources_.add(isCombinational_[reader] ? std::span<const std::uint32_t>(writers)
                                              : std::span<const std::uint32_t>());
    }
    readers_ = Graph(size(), edges);
}

std::vector<std::uint32_t> ReaderGraph::levels() const {
    std::vector<Edge> edges;
    for (std::uint32_t reader = 0; reader < size(); ++reader) {
        for (const std::uint32_t writer : sources_[reader])
            edges.push_back({writer, reader});
    }
    return longestPaths(Graph(size(), edges));
}

NodeLists ReaderGraph::components() const {
    NodeLists result;
    componentsOf(sources_).forEach([&](std::span<const std::uint32_t> component) {
        if (isCombinational_[component.front()]) result.add(component);
    });
    return result;
}

}  // namespace smec::ir
