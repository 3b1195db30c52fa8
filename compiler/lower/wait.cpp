#include "lower/wait.h"

#include <algorithm>
#include <optional>

#include "hir/visit.h"
#include "source/overloaded.h"

namespace smec::lower {

bool containsWait(const hir::Stmt& stmt) {
    return smec::visit(
        Overloaded{
            [](const AnyOf<hir::Wait, hir::WaitUntil> auto&) { return true; },
            [&](const AnyOf<hir::If, hir::For, hir::While, hir::Switch> auto&) {
                bool found = false;
                hir::forEachBlock(
                    stmt, [&](const hir::Block& block) { found = found || containsWait(block); });
                return found;
            },
            [](const AnyOf<hir::Assign, hir::InitVar, hir::Break, hir::Continue, hir::Return,
                           hir::Trace, hir::Assert, hir::Cover, hir::Stop> auto&) { return false; },
        },
        stmt.node);
}

bool containsWait(const hir::Block& block) {
    return std::any_of(block.begin(), block.end(),
                       [](const hir::Stmt& stmt) { return containsWait(stmt); });
}

namespace {

/// The variable that begins with the statement and lasts to the end of its block, if any.
std::optional<hir::VarId> begins(const hir::Stmt& stmt) {
    return smec::visit(
        Overloaded{
            [](const hir::InitVar& n) { return std::optional(n.var); },
            [](const AnyOf<hir::Assign, hir::If, hir::For, hir::While, hir::Switch, hir::Break,
                           hir::Continue, hir::Return, hir::Trace, hir::Assert, hir::Cover,
                           hir::Stop, hir::Wait, hir::WaitUntil> auto&) {
                return std::optional<hir::VarId>();
            },
        },
        stmt.node);
}

/// Of a statement in which there are waits, except what is in its blocks.
void note(const hir::Stmt& stmt, WaitPlan& plan) {
    smec::visit(
        Overloaded{
            [&](const hir::Wait& n) { plan.counts = plan.counts || n.count.valid(); },
            [&](const hir::For& n) {
                plan.kept.push_back(n.var);
                plan.loops.push_back(&n);
            },
            [](const AnyOf<hir::If, hir::While, hir::Switch, hir::WaitUntil> auto&) {},
            [](const AnyOf<hir::Assign, hir::InitVar, hir::Break, hir::Continue, hir::Return,
                           hir::Trace, hir::Assert, hir::Cover, hir::Stop> auto&) {},
        },
        stmt.node);
}

void collect(const hir::Block& block, WaitPlan& plan) {
    bool waitsLater = false;
    std::vector<hir::VarId> kept;
    for (auto stmt = block.rbegin(); stmt != block.rend(); ++stmt) {
        if (const auto variable = begins(*stmt); variable && waitsLater) kept.push_back(*variable);
        waitsLater = waitsLater || containsWait(*stmt);
    }
    plan.kept.insert(plan.kept.end(), kept.rbegin(), kept.rend());
    for (const hir::Stmt& stmt : block) {
        if (!containsWait(stmt)) continue;
        note(stmt, plan);
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
