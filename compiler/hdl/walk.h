#pragma once

#include <algorithm>
#include <optional>

#include "hdl/hdl.h"
#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "source/overloaded.h"

namespace smec::hdl {

/// Calls `visit` for each block within a statement, in the order of the text.
template <typename AnyStmt, typename Visit>
void forEachBlock(AnyStmt& stmt, Visit&& visit) {
    smec::visit(Overloaded{
                    [](const ir::AnyOf<Assign, CopyArray, FillArray, Assert> auto&) {},
                    [&](ir::AnyOf<If> auto& n) { visit(n.yes), visit(n.no); },
                    [&](ir::AnyOf<Case> auto& n) {
                        for (auto& one : n.choices)
                            visit(one.body);
                        visit(n.otherwise);
                    },
                    [&](ir::AnyOf<For> auto& n) { visit(n.body); },
                },
                stmt.node);
}

/// What a statement that holds no others sets; nothing where that is no signal.
inline std::optional<SignalId> targetOf(const Stmt& stmt) {
    return smec::visit(
        Overloaded{
            [](const ir::AnyOf<Assign, CopyArray, FillArray> auto& n) {
                return std::optional(n.to);
            },
            [](const ir::AnyOf<If, Case, For, Assert> auto&) { return std::optional<SignalId>(); },
        },
        stmt.node);
}

/// Whether `test` holds for a statement of the block, at any depth.
template <typename Test>
bool anyStatement(const Block& block, const Test& test) {
    return std::any_of(block.begin(), block.end(), [&](const Stmt& stmt) {
        bool found = test(stmt);
        forEachBlock(stmt, [&](const Block& inner) { found = found || anyStatement(inner, test); });
        return found;
    });
}

/// Whether all that a process does has been left out.
inline bool doesNothing(const Module& module) {
    return module.body.empty()
           && std::none_of(module.signals.begin(), module.signals.end(),
                           [](const Signal& signal) { return signal.isRegister; });
}

/// The counter of a loop, where this is its value as a number that is not negative, in any width.
inline std::optional<SignalId> counterOf(const Module& module, ExprId id) {
    const Expr* expr = &module[id];
    std::uint32_t width = UINT32_MAX;  // that all of the value goes through, without a sign
    const auto pass = [&] { width = std::min(width, expr->type.width - expr->type.isSigned); };
    pass();
    while (expr->op == Op::Resize) {
        expr = &module[expr->args[0]];
        pass();
    }
    if ((expr->op != Op::Ref && expr->op != Op::Slice) || expr->low != 0) return std::nullopt;
    const Signal& signal = module[expr->signal];
    if (signal.role != Role::Counter) return std::nullopt;
    const auto [low, high] = std::minmax(signal.initial[0], signal.initial[1]);
    if (low < 0 || ir::bitLength(high) > width) return std::nullopt;
    return expr->signal;
}

}  // namespace smec::hdl
