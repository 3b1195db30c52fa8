#pragma once

#include <cstdint>
#include <vector>

#include "plan/plan.h"

namespace smec::plan {

/// Straight-line steps of the clocked level that stay together, in order.
struct StepGroup {
    std::vector<InstanceRef> steps;
    std::uint64_t statements = 0;
    double cost = 0;
};

/// An order of step groups in which a cut of the list at 1/2, 1/4, … of its cost cuts few fields.
struct MinCutOrder {
    /// The groups of each leaf of the bisection, by their places in the list given. Leaves are of
    /// about equal cost, their number is even. Empty where source order does as well.
    std::vector<std::vector<std::uint32_t>> leaves;
    /// Per plane: the depth in the bisection at which a reader parts from the writer, 0 for the
    /// middle of the list; kNotCut where all are in one leaf.
    std::vector<std::uint8_t> depths;
};

inline constexpr std::uint8_t kNotCut = UINT8_MAX;

/// Looks at who reads whose fields among the groups, which come in source order. Costs count in
/// powers of four of their median, so that the edit of a body hardly ever moves anything; a change
/// of the wiring may move everything. Deterministic. O((groups + reads) · log leaves).
MinCutOrder orderByMinCut(const ir::Design& design, const Options& options,
                          const std::vector<StepGroup>& groups);

}  // namespace smec::plan
