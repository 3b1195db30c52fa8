#pragma once

#include "hir/body.h"

namespace smec::hir {

/// Calls `use(const Block&)` for every block directly inside the statement, in source order.
template <typename F>
void forEachBlock(const Stmt& stmt, F&& use) {
    if (const auto* branch = std::get_if<If>(&stmt.node)) {
        use(branch->yes);
        use(branch->no);
    } else if (const auto* loop = std::get_if<For>(&stmt.node)) {
        use(loop->body);
    } else if (const auto* loopWhile = std::get_if<While>(&stmt.node)) {
        use(loopWhile->body);
    } else if (const auto* choice = std::get_if<Switch>(&stmt.node)) {
        for (const SwitchCase& each : choice->cases)
            use(each.body);
        if (choice->otherwise) use(*choice->otherwise);
    }
}

}  // namespace smec::hir
