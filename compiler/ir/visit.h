#pragma once

#include <type_traits>

#include "ir/ir.h"

/// Walking expressions and statements without spelling out every kind.
namespace smec::ir {

template <typename... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

/// Calls `use(ExprId&)` (or `ExprId` when `expr` is const) for every valid operand, in order.
template <typename E, typename F>
    requires std::is_same_v<std::remove_const_t<E>, Expr>
void forEachOperand(E& expr, F&& use) {
    auto some = [&](auto& id) {
        if (id.valid()) use(id);
    };
    std::visit(
        [&](auto& n) {
            using T = std::remove_cvref_t<decltype(n)>;
            if constexpr (std::is_same_v<T, ReadInput>) {
                some(n.element);
                some(n.index);
            } else if constexpr (std::is_same_v<T, ReadLocal> || std::is_same_v<T, ReadTable>) {
                some(n.index);
            } else if constexpr (std::is_same_v<T, Unary> || std::is_same_v<T, Wrap>
                                 || std::is_same_v<T, Convert>) {
                some(n.operand);
            } else if constexpr (std::is_same_v<T, Binary>) {
                some(n.left);
                some(n.right);
            } else if constexpr (std::is_same_v<T, Select>) {
                some(n.condition);
                some(n.yes);
                some(n.no);
            }
        },
        expr.node);
}

/// Calls `use(ExprId&)` for every valid expression that the statement itself uses (nested blocks
/// excepted), in evaluation order.
template <typename S, typename F>
    requires std::is_same_v<std::remove_const_t<S>, Stmt>
void forEachExpr(S& stmt, F&& use) {
    auto some = [&](auto& id) {
        if (id.valid()) use(id);
    };
    std::visit(
        [&](auto& n) {
            using T = std::remove_cvref_t<decltype(n)>;
            if constexpr (std::is_same_v<T, Set>) {
                some(n.value);
                some(n.index);
            } else if constexpr (std::is_same_v<T, CopyArray>) {
                if (auto* input = std::get_if<ReadInput>(&n.from)) some(input->element);
            } else if constexpr (std::is_same_v<T, FillArray>) {
                some(n.value);
            } else if constexpr (std::is_same_v<T, Return>) {
                for (auto& value : n.values)
                    some(value);
            } else if constexpr (std::is_same_v<T, Check>) {
                some(n.ok);
                for (auto& arg : n.args)
                    some(arg);
            } else if constexpr (std::is_same_v<T, If>) {
                some(n.condition);
            } else if constexpr (std::is_same_v<T, For>) {
                some(n.from);
                some(n.to);
            } else if constexpr (std::is_same_v<T, Switch>) {
                some(n.subject);
            } else if constexpr (std::is_same_v<T, Call> || std::is_same_v<T, Trace>) {
                for (auto& arg : n.args)
                    some(arg);
            } else if constexpr (std::is_same_v<T, Stop>) {
                some(n.status);
            }
        },
        stmt.node);
}

/// Calls `use(Block&)` for every block directly inside the statement.
template <typename S, typename F>
    requires std::is_same_v<std::remove_const_t<S>, Stmt>
void forEachBlock(S& stmt, F&& use) {
    std::visit(
        [&](auto& n) {
            using T = std::remove_cvref_t<decltype(n)>;
            if constexpr (std::is_same_v<T, If>) {
                use(n.yes);
                use(n.no);
            } else if constexpr (std::is_same_v<T, For> || std::is_same_v<T, Loop>) {
                use(n.body);
            } else if constexpr (std::is_same_v<T, Switch>) {
                for (auto& c : n.cases)
                    use(c.body);
                use(n.otherwise);
            }
        },
        stmt.node);
}

/// Calls `use(Stmt&)` for every statement of the block and of the blocks inside, a statement before
/// what it holds.
template <typename B, typename F>
    requires std::is_same_v<std::remove_const_t<B>, Block>
void forEachStmt(B& block, F&& use) {
    for (auto& stmt : block) {
        use(stmt);
        forEachBlock(stmt, [&](auto& inner) { forEachStmt(inner, use); });
    }
}

}  // namespace smec::ir
