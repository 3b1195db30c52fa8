#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/ir.h"

namespace smec::passes {

/// What each statement of a body assigns, with the blocks in it.
///
/// Statements are numbered in order, each before what it holds, as a walk meets them. Built in one
/// walk; a question costs at most a binary search. Says nothing of changes behind its construction,
/// except that statements which assign nothing may go, as long as the walk still counts them.
class Assignments {
public:
    using Number = std::uint32_t;

    explicit Assignments(const ir::Body& body);

    /// In order, with repetitions.
    std::span<const ir::LocalId> in(Number statement) const;
    bool assigns(Number statement, ir::LocalId local) const;

private:
    void walk(const ir::Block& block);

    std::vector<Number> ends_;                 ///< by statement: the first one behind its blocks
    std::vector<std::uint32_t> firsts_;        ///< by statement, and one more: into assigned_
    std::vector<ir::LocalId> assigned_;        ///< by every statement, in order
    std::vector<std::vector<Number>> places_;  ///< by local: who assigns it, in order
};

}  // namespace smec::passes
