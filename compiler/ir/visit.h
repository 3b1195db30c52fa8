#pragma once

#include <type_traits>

#include "ir/ir.h"
#include "source/overloaded.h"

/// Walking expressions and statements without spelling out every kind. Each of these functions
/// names every kind of node, so that one which is added does not compile before it has its place
/// here.
namespace smec::ir {

/// What a visitor takes for "all others alike": the kinds are listed, so that a new one is none of
/// them and asks for a decision.
template <typename T, typename... Kinds>
concept AnyOf = (std::is_same_v<std::remove_cvref_t<T>, Kinds> || ...);

/// Calls `use(ExprId&)` (or `ExprId` when `expr` is const) for every valid operand, in order.
template <typename E, typename F>
    requires AnyOf<E, Expr>
void forEachOperand(E& expr, F&& use) {
    auto some = [&](auto& id) {
        if (id.valid()) use(id);
    };
    std::visit(Overloaded{
                   [](AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, Cycle, Seed> auto&) {},
                   [&](AnyOf<ReadInput> auto& n) { some(n.element), some(n.index); },
                   [&](AnyOf<ReadLocal, ReadTable> auto& n) { some(n.index); },
                   [&](AnyOf<Unary, Wrap, Convert> auto& n) { some(n.operand); },
                   [&](AnyOf<Binary> auto& n) { some(n.left), some(n.right); },
                   [&](AnyOf<Select> auto& n) { some(n.condition), some(n.yes), some(n.no); },
               },
               expr.node);
}

/// Calls `use(ExprId&)` for every valid expression that the statement itself uses (nested blocks
/// excepted), in evaluation order.
template <typename S, typename F>
    requires AnyOf<S, Stmt>
void forEachExpr(S& stmt, F&& use) {
    auto some = [&](auto& id) {
        if (id.valid()) use(id);
    };
    auto all = [&](auto& ids) {
        for (auto& id : ids)
            some(id);
    };
    std::visit(Overloaded{
                   [](AnyOf<Loop, CountRound, Break, Continue> auto&) {},
                   [&](AnyOf<Set> auto& n) { some(n.value), some(n.index); },
                   [&](AnyOf<CopyArray> auto& n) {
                       if (auto* input = std::get_if<ReadInput>(&n.from)) some(input->element);
                   },
                   [&](AnyOf<FillArray> auto& n) { some(n.value); },
                   [&](AnyOf<Return> auto& n) { all(n.values); },
                   [&](AnyOf<Check> auto& n) { some(n.ok), all(n.args); },
                   [&](AnyOf<If> auto& n) { some(n.condition); },
                   [&](AnyOf<For> auto& n) { some(n.from), some(n.to); },
                   [&](AnyOf<Switch> auto& n) { some(n.subject); },
                   [&](AnyOf<Call, Trace> auto& n) { all(n.args); },
                   [&](AnyOf<Stop> auto& n) { some(n.status); },
               },
               stmt.node);
}

/// Calls `use(Block&)` for every block directly inside the statement.
template <typename S, typename F>
    requires AnyOf<S, Stmt>
void forEachBlock(S& stmt, F&& use) {
    std::visit(Overloaded{
                   [](AnyOf<Set, CopyArray, FillArray, Check, CountRound, Break, Continue, Call,
                            Return, Trace, Stop> auto&) {},
                   [&](AnyOf<If> auto& n) { use(n.yes), use(n.no); },
                   [&](AnyOf<For, Loop> auto& n) { use(n.body); },
                   [&](AnyOf<Switch> auto& n) {
                       for (auto& c : n.cases)
                           use(c.body);
                       use(n.otherwise);
                   },
               },
               stmt.node);
}

/// Calls `use(Stmt&)` for every statement of the block and of the blocks inside, a statement before
/// what it holds.
template <typename B, typename F>
    requires AnyOf<B, Block>
void forEachStmt(B& block, F&& use) {
    for (auto& stmt : block) {
        use(stmt);
        forEachBlock(stmt, [&](auto& inner) { forEachStmt(inner, use); });
    }
}

inline bool isBranch(const Stmt& stmt) {
    return std::visit(
        Overloaded{
            [](const AnyOf<If, Switch> auto&) { return true; },
            [](const AnyOf<Set, CopyArray, FillArray, Check, For, Loop, CountRound, Break, Continue,
                           Call, Return, Trace, Stop> auto&) { return false; },
        },
        stmt.node);
}

inline bool isLoop(const Stmt& stmt) {
    return std::visit(
        Overloaded{
            [](const AnyOf<For, Loop> auto&) { return true; },
            [](const AnyOf<Set, CopyArray, FillArray, Check, If, CountRound, Switch, Break,
                           Continue, Call, Return, Trace, Stop> auto&) { return false; },
        },
        stmt.node);
}

/// Whether what follows in the block is never reached.
inline bool leavesBlock(const Stmt& stmt) {
    return std::visit(
        Overloaded{
            [](const AnyOf<Break, Continue, Return> auto&) { return true; },
            [](const AnyOf<Set, CopyArray, FillArray, Check, If, For, Loop, CountRound, Switch,
                           Call, Trace, Stop> auto&) { return false; },
        },
        stmt.node);
}

}  // namespace smec::ir
