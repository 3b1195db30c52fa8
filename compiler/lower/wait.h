#pragma once

#include <vector>

#include "hir/body.h"

namespace smec::lower {

/// What a body that waits keeps from one activation to the next, beside its process variables.
struct WaitPlan {
    std::vector<hir::VarId> kept;        ///< block and loop variables that live across a wait
    std::vector<const hir::For*> loops;  ///< that hold a wait: each keeps its last value
    bool counts = false;                 ///< has a `wait n`
};

bool containsWait(const hir::Block& block);
bool containsWait(const hir::Stmt& stmt);

/// In source order. O(statements · nesting).
WaitPlan planWaits(const hir::Body& body);

}  // namespace smec::lower
