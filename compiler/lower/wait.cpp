#include "lower/wait.h"

#include <algorithm>

#include "hir/visit.h"

namespace smec::lower {

bool containsWait(const hir::Stmt& stmt) {
    if (std::holds_alternative<hir::Wait>(stmt.node)
        || std::holds_alternative<hir::WaitUntil>(stmt.node))
        return true;
    bool found = false;
    hir::forEachBlock(stmt, [&](const hir::Block& block) { found = found || containsWait(block); });
    return found;
}

bool containsWait(const hir::Block& block) {
    return std::any_of(block.begin(), block.end(),
                       [](const hir::Stmt& stmt) { return containsWait(stmt); });
}

namespace {

void collect(const hir::Block& block, WaitPlan& plan) {
    bool waitsLater = false;
    std::vector<hir::VarId> kept;
    for (auto stmt = block.rbegin(); stmt != block.rend(); ++stmt) {
        const auto* variable = std::get_if<hir::InitVar>(&stmt->node);
        if (variable && waitsLater) kept.push_back(variable->var);
        waitsLater = waitsLater || containsWait(*stmt);
    }
    plan.kept.insert(plan.kept.end(), kept.rbegin(), kept.rend());
    for (const hir::Stmt& stmt : block) {
        if (!containsWait(stmt)) continue;
        if (const auto* wait = std::get_if<hir::Wait>(&stmt.node))
            plan.counts = plan.counts || wait->count.valid();
        if (const auto* loop = std::get_if<hir::For>(&stmt.node)) {
            plan.kept.push_back(loop->var);
            plan.loops.push_back(loop);
        }
        hir::forEachBlock(stmt, [&](const hir::Block& inner) { collect(inner, plan); });
    }
}

}  // namespace

WaitPlan planWaits(const hir::Body& body) {
    WaitPlan plan;
    collect(body.statements, plan);
    return plan;
}

}  // namespace smec::lower
