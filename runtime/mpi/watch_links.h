#pragma once

#include <string>
#include <vector>

namespace sme {

/// Who is connected with whom to see each other's end: two trees of all ranks, the root of one is
/// rank 0, of the other its deputy, a rank of another machine where there is one. Up to kFan + 1
/// ranks all are connected with both. As all are connected, whatever stays connected after an end has
/// a rank that sees it.
class WatchLinks {
public:
    static constexpr unsigned kFan = 256;

    /// By rank, the name of its machine; two ranks at least.
    explicit WatchLinks(const std::vector<std::string>& nodes, unsigned fan = kFan);

    unsigned deputy() const { return deputy_; }
    /// Whom a rank calls, in the tree of rank 0 first.
    std::vector<unsigned> calledBy(unsigned rank) const;
    bool isCalled(unsigned rank) const;
    /// Of the tree of rank 0; of rank 0 itself: itself.
    unsigned parent(unsigned rank) const { return parentIn(0, rank); }

private:
    unsigned parentIn(unsigned root, unsigned rank) const;

    unsigned ranks_;
    unsigned fan_;
    unsigned deputy_ = 1;
};

}  // namespace sme
