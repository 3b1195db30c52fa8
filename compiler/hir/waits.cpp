#include "hir/waits.h"

#include "hir/visit.h"
#include "source/overloaded.h"

namespace smec::hir {

namespace {

void collectWaits(const Block& block, std::vector<const Stmt*>& waits) {
    for (const Stmt& stmt : block) {
        smec::visit(Overloaded{
                        [&](const AnyOf<Wait, WaitUntil> auto&) { waits.push_back(&stmt); },
                        [&](const AnyOf<If, For, While, Switch> auto&) {
                            forEachBlock(stmt,
                                         [&](const Block& inner) { collectWaits(inner, waits); });
                        },
                        [](const AnyOf<Assign, InitVar, Break, Continue, Return, Trace, Assert,
                                       Cover, Stop> auto&) {},
                    },
                    stmt.node);
    }
}

}  // namespace

std::vector<const Stmt*> waitsOf(const Body& body) {
    std::vector<const Stmt*> waits;
    if (body.canWait) collectWaits(body.statements, waits);
    return waits;
}

}  // namespace smec::hir
