#pragma once

#include "ir/visit.h"
#include "source/overloaded.h"

/// What the nodes of a body refer to beside its expressions, for those who count, rename or remove
/// such things.
namespace smec::ir {

/// Calls `use` with each: LocalId&, TableId&, and the node itself where the reference is a plain
/// number in it: ReadInput&, ReadColumn&.
template <typename E, typename F>
    requires AnyOf<E, Expr>
void forEachReference(E& expr, F&& use) {
    smec::visit(Overloaded{
                    [](AnyOf<ConstInt, ConstBool, ConstFloat, Cycle, Seed, Unary, Binary, Select,
                             Wrap, Convert> auto&) {},
                    [&](AnyOf<ReadColumn, ReadInput> auto& n) { use(n); },
                    [&](AnyOf<ReadLocal> auto& n) { use(n.local); },
                    [&](AnyOf<ReadTable> auto& n) { use(n.table); },
                },
                expr.node);
}

/// Of the statement itself, nested blocks excepted. Also FunctionId&, and for their sites Check&,
/// CountRound&, Trace&.
template <typename S, typename F>
    requires AnyOf<S, Stmt>
void forEachReference(S& stmt, F&& use) {
    smec::visit(Overloaded{
                    [](AnyOf<If, Loop, Switch, Break, Continue, Return, Stop> auto&) {},
                    [&](AnyOf<Set> auto& n) { use(n.local); },
                    [&](AnyOf<CopyArray> auto& n) {
                        use(n.to);
                        smec::visit(use, n.from);
                    },
                    [&](AnyOf<FillArray> auto& n) { use(n.to); },
                    [&](AnyOf<For> auto& n) { use(n.var); },
                    [&](AnyOf<Call> auto& n) {
                        for (auto& result : n.results)
                            use(result);
                        use(n.function);
                    },
                    [&](AnyOf<Check, CountRound, Trace> auto& n) { use(n); },
                },
                stmt.node);
}

/// Calls `use` with the references of one kind: of an expression or a statement …
template <typename Kind, typename N, typename F>
    requires AnyOf<N, Expr, Stmt>
void forEachReference(N& node, F&& use) {
    forEachReference(node, [&](auto& reference) {
        if constexpr (AnyOf<decltype(reference), Kind>) use(reference);
    });
}
/// … or of a whole body.
template <typename Kind, typename B, typename F>
    requires AnyOf<B, Body>
void forEachReference(B& body, F&& use) {
    for (auto& expr : body.exprs)
        forEachReference<Kind>(expr, use);
    using Node = std::conditional_t<std::is_const_v<B>, const Stmt, Stmt>;
    forEachStmt(body.statements, [&](Node& stmt) { forEachReference<Kind>(stmt, use); });
}

/// Calls `use(LocalId&)` for every local that the statement itself gives a value, in whole or in
/// part: nested blocks excepted, loop variables included.
template <typename S, typename F>
    requires AnyOf<S, Stmt>
void forEachAssigned(S& stmt, F&& use) {
    smec::visit(Overloaded{
                    [](AnyOf<Check, If, Loop, CountRound, Switch, Break, Continue, Return, Trace,
                             Stop> auto&) {},
                    [&](AnyOf<Set> auto& n) { use(n.local); },
                    [&](AnyOf<CopyArray, FillArray> auto& n) { use(n.to); },
                    [&](AnyOf<For> auto& n) { use(n.var); },
                    [&](AnyOf<Call> auto& n) {
                        for (auto& result : n.results)
                            use(result);
                    },
                },
                stmt.node);
}

/// The array local that a statement copies; else invalid. All other reads are expressions.
inline LocalId copiedLocal(const Stmt& stmt) {
    const auto* copy = std::get_if<CopyArray>(&stmt.node);
    const auto* from = copy ? std::get_if<LocalId>(&copy->from) : nullptr;
    return from ? *from : LocalId{};
}

}  // namespace smec::ir
