#pragma once

#include <type_traits>

#include "hir/body.h"

namespace smec::hir {

/// Calls `use(Block&)` (or `const Block&` when `stmt` is const) for every block directly inside the
/// statement, in source order.
template <typename S, typename F>
    requires std::is_same_v<std::remove_const_t<S>, Stmt>
void forEachBlock(S& stmt, F&& use) {
    if (auto* branch = std::get_if<If>(&stmt.node)) {
        use(branch->yes);
        use(branch->no);
    } else if (auto* loop = std::get_if<For>(&stmt.node)) {
        use(loop->body);
    } else if (auto* loopWhile = std::get_if<While>(&stmt.node)) {
        use(loopWhile->body);
    } else if (auto* choice = std::get_if<Switch>(&stmt.node)) {
        for (auto& each : choice->cases)
            use(each.body);
        if (choice->otherwise) use(*choice->otherwise);
    }
}

}  // namespace smec::hir
