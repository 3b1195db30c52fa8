#include "ir/reader_graph.h"

#include <algorithm>

namespace smec::ir {

ReaderGraph::ReaderGraph(const Design& design)
    : sources_(design.classes.size()), readers_(design.classes.size()) {
    for (std::uint32_t reader = 0; reader < size(); ++reader) {
        isCombinational_.push_back(design.classes[reader].combinational);
        std::vector<std::uint32_t> writers;
        forEachRead(design, reader, [&](const Read& read) {
            if (read.isInSameCycle()) writers.push_back(read.writer);
        });
        std::sort(writers.begin(), writers.end());
        writers.erase(std::unique(writers.begin(), writers.end()), writers.end());
        for (const std::uint32_t writer : writers)
            readers_[writer].push_back(reader);
        if (isCombinational_[reader]) sources_[reader] = std::move(writers);
    }
}

std::vector<std::uint32_t> ReaderGraph::levels() const {
    std::vector<Edge> edges;
    for (std::uint32_t reader = 0; reader < size(); ++reader) {
        for (const std::uint32_t writer : sources_[reader])
            edges.push_back({writer, reader});
    }
    return longestPaths(size(), std::move(edges));
}

std::vector<std::vector<std::uint32_t>> ReaderGraph::components() const {
    auto result = ir::components(sources_);
    std::erase_if(result, [&](const std::vector<std::uint32_t>& component) {
        return !isCombinational_[component.front()];
    });
    return result;
}

}  // namespace smec::ir
