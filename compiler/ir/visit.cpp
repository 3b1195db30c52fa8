#include "ir/visit.h"

#include <algorithm>

#include "source/overloaded.h"

namespace smec::ir {

namespace {

template <typename E, typename F>
void visitOperands(E& expr, F use) {
    auto some = [&](auto& id) {
        if (id.valid()) use(id);
    };
    smec::visit(Overloaded{
                    [](AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, Cycle, Seed> auto&) {},
                    [&](AnyOf<ReadInput> auto& n) { some(n.element), some(n.index); },
                    [&](AnyOf<ReadLocal, ReadTable> auto& n) { some(n.index); },
                    [&](AnyOf<Unary, Wrap, Convert> auto& n) { some(n.operand); },
                    [&](AnyOf<Binary> auto& n) { some(n.left), some(n.right); },
                    [&](AnyOf<Select> auto& n) { some(n.condition), some(n.yes), some(n.no); },
                },
                expr.node);
}

template <typename S, typename F>
void visitExprs(S& stmt, F use) {
    auto some = [&](auto& id) {
        if (id.valid()) use(id);
    };
    auto all = [&](auto& ids) {
        for (auto& id : ids)
            some(id);
    };
    smec::visit(Overloaded{
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

template <typename S, typename F>
void visitBlocks(S& stmt, F use) {
    smec::visit(Overloaded{
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

}  // namespace

void forEachOperand(Expr& expr, FunctionRef<void(ExprId&)> use) { visitOperands(expr, use); }
void forEachOperand(const Expr& expr, FunctionRef<void(ExprId)> use) { visitOperands(expr, use); }

void forEachExpr(Stmt& stmt, FunctionRef<void(ExprId&)> use) { visitExprs(stmt, use); }
void forEachExpr(const Stmt& stmt, FunctionRef<void(ExprId)> use) { visitExprs(stmt, use); }

void forEachBlock(Stmt& stmt, FunctionRef<void(Block&)> use) { visitBlocks(stmt, use); }
void forEachBlock(const Stmt& stmt, FunctionRef<void(const Block&)> use) { visitBlocks(stmt, use); }

void forEachStmt(Block& block, FunctionRef<void(Stmt&)> use) {
    for (Stmt& stmt : block) {
        use(stmt);
        forEachBlock(stmt, [&](Block& inner) { forEachStmt(inner, use); });
    }
}

void forEachStmt(const Block& block, FunctionRef<void(const Stmt&)> use) {
    for (const Stmt& stmt : block) {
        use(stmt);
        forEachBlock(stmt, [&](const Block& inner) { forEachStmt(inner, use); });
    }
}

std::uint32_t numberStatements(Block& block, std::uint32_t next) {
    forEachStmt(block, [&](Stmt& stmt) { stmt.id = {next++}; });
    return next;
}

void numberStatements(Design& design) {
    for (Class& cls : design.classes)
        numberStatements(cls.body.statements);
    for (Function& function : design.functions)
        numberStatements(function.body.statements);
}

bool isBranch(const Stmt& stmt) {
    return smec::visit(
        Overloaded{
            [](const AnyOf<If, Switch> auto&) { return true; },
            [](const AnyOf<Set, CopyArray, FillArray, Check, For, Loop, CountRound, Break, Continue,
                           Call, Return, Trace, Stop> auto&) { return false; },
        },
        stmt.node);
}

bool setsAll(const Stmt& stmt, LocalId array) {
    if (const auto* copy = std::get_if<CopyArray>(&stmt.node)) return copy->to == array;
    if (const auto* fill = std::get_if<FillArray>(&stmt.node)) return fill->to == array;
    const auto* call = std::get_if<Call>(&stmt.node);
    return call
           && std::find(call->results.begin(), call->results.end(), array) != call->results.end();
}

bool isLoop(const Stmt& stmt) {
    return smec::visit(
        Overloaded{
            [](const AnyOf<For, Loop> auto&) { return true; },
            [](const AnyOf<Set, CopyArray, FillArray, Check, If, CountRound, Switch, Break,
                           Continue, Call, Return, Trace, Stop> auto&) { return false; },
        },
        stmt.node);
}

bool leavesBlock(const Stmt& stmt) {
    return smec::visit(
        Overloaded{
            [](const AnyOf<Break, Continue, Return> auto&) { return true; },
            [](const AnyOf<Set, CopyArray, FillArray, Check, If, For, Loop, CountRound, Switch,
                           Call, Trace, Stop> auto&) { return false; },
        },
        stmt.node);
}

}  // namespace smec::ir
