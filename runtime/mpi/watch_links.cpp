#include "watch_links.h"

#include <algorithm>

namespace sme {

WatchLinks::WatchLinks(const std::vector<std::string>& nodes, unsigned fan)
    : ranks_(static_cast<unsigned>(nodes.size())), fan_(fan) {
    const auto other =
        std::ranges::find_if(nodes, [&](const std::string& node) { return node != nodes[0]; });
    if (other != nodes.end()) deputy_ = static_cast<unsigned>(other - nodes.begin());
}

unsigned WatchLinks::parentIn(unsigned root, unsigned rank) const {
    const unsigned place = (rank + ranks_ - root) % ranks_;
    return place == 0 ? rank : ((place - 1) / fan_ + root) % ranks_;
}

std::vector<unsigned> WatchLinks::calledBy(unsigned rank) const {
    std::vector<unsigned> called;
    const unsigned first = parent(rank);
    if (first != rank) called.push_back(first);
    const unsigned second = parentIn(deputy_, rank);
    const bool isLinked = second == rank || second == first || parent(second) == rank;
    if (!isLinked) called.push_back(second);
    return called;
}

bool WatchLinks::isCalled(unsigned rank) const {
    for (unsigned other = 0; other < ranks_; ++other)
        if (std::ranges::count(calledBy(other), rank) > 0) return true;
    return false;
}

}  // namespace sme
