#pragma once

#include <cstdint>
#include <vector>

#include "sme/model.h"

namespace sme {

/// Instances [begin, end) of a work.
struct InstanceRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool operator==(const InstanceRange&) const = default;
};

/// What each rank runs: of each work a range of instances, those of all ranks in order. Cut where
/// the planner may cut.
struct RankShares {
    unsigned ranks = 1;
    std::vector<std::vector<InstanceRange>> ranges;  ///< by work, then rank
};

/// The list of each level in so many stretches of about equal cost, as model m2 gives it to
/// threads.
RankShares sharesOfLists(const Model& model, unsigned ranks);

/// The same part of the instances of each work; indivisible ones whole, in order of the list. For
/// kinds of processes that read one another instance by instance.
RankShares sharesOfEach(const Model& model, unsigned ranks);

/// By rank, the static cost of a cycle.
std::vector<double> costsOf(const Model& model, const RankShares& shares);

}  // namespace sme
