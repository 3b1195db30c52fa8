#pragma once

#include <algorithm>

#include "hdl/hdl.h"

namespace smec::hdl {

/// Whether `test` holds for a statement of the block, at any depth.
template <typename Test>
bool anyStatement(const Block& block, const Test& test) {
    return std::any_of(block.begin(), block.end(), [&](const Stmt& stmt) {
        if (test(stmt)) return true;
        if (const auto* branch = std::get_if<If>(&stmt.node))
            return anyStatement(branch->yes, test) || anyStatement(branch->no, test);
        if (const auto* choice = std::get_if<Case>(&stmt.node))
            return anyStatement(choice->otherwise, test)
                   || std::any_of(choice->choices.begin(), choice->choices.end(),
                                  [&](const Choice& one) { return anyStatement(one.body, test); });
        return false;
    });
}

}  // namespace smec::hdl
