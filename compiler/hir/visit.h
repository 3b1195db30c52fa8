#pragma once

#include <type_traits>

#include "hir/body.h"
#include "source/overloaded.h"

namespace smec::hir {

/// Calls `use(Block&)` (or `const Block&` when `stmt` is const) for every block directly inside the
/// statement, in source order.
template <typename S, typename F>
    requires std::is_same_v<std::remove_const_t<S>, Stmt>
void forEachBlock(S& stmt, F&& use) {
    smec::visit(Overloaded{
                    [&](AnyOf<If> auto& n) {
                        use(n.yes);
                        use(n.no);
                    },
                    [&](AnyOf<For, While> auto& n) { use(n.body); },
                    [&](AnyOf<Switch> auto& n) {
                        for (auto& each : n.cases)
                            use(each.body);
                        if (n.otherwise) use(*n.otherwise);
                    },
                    [](AnyOf<Assign, InitVar, Break, Continue, Return, Trace, Assert, Cover, Stop,
                             Wait, WaitUntil> auto&) {},
                },
                stmt.node);
}

/// The place that the statement itself stores to, nested blocks excepted; else null. What a variable
/// begins with (InitVar, For) is no store.
inline const Place* assignedPlace(const Stmt& stmt) {
    return smec::visit(Overloaded{
                           [](const Assign& n) { return &n.place; },
                           [](const AnyOf<InitVar, If, For, While, Switch, Break, Continue, Return,
                                          Trace, Assert, Cover, Stop, Wait, WaitUntil> auto&) {
                               return static_cast<const Place*>(nullptr);
                           },
                       },
                       stmt.node);
}

}  // namespace smec::hir
