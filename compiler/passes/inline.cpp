#include <algorithm>

#include "ir/builder.h"
#include "ir/references.h"
#include "passes/body.h"

// A call becomes the statements of what it calls, over variables of their own:
//
//   p = first(want, NORTH);      where = NORTH;
//                                for i = 0 until 5 { if (want[i] == where) … r = i; … }
//                                p = r;
//
// An array that the function only reads is the caller's own.

namespace smec::passes {

using namespace ir;

namespace {

bool isAssigned(const Body& body, LocalId id) {
    bool assigned = false;
    forEachStmt(body.statements, [&](const Stmt& stmt) {
        forEachAssigned(stmt, [&](const LocalId& to) { assigned |= to == id; });
    });
    return assigned;
}

class Inliner {
public:
    Inliner(Body& body, const std::function<const StraightFunction*(FunctionId)>& function,
            std::size_t mostExprs)
        : body_(body), function_(function), mostExprs_(mostExprs) {}

    bool run() {
        body_.statements = expand(std::move(body_.statements));
        return !gaveUp_;
    }

private:
    Block expand(Block from) {
        Block to;
        for (Stmt& stmt : from) {
            forEachBlock(stmt, [&](Block& inner) { inner = expand(std::move(inner)); });
            const auto* call = std::get_if<Call>(&stmt.node);
            const StraightFunction* function = call ? function_(call->function) : nullptr;
            gaveUp_ = gaveUp_ || (call && !function) || body_.exprs.size() > mostExprs_;
            if (!call || gaveUp_)
                to.push_back(std::move(stmt));
            else
                append(*call, *function, stmt.range, to);
        }
        return to;
    }

    void append(const Call& call, const StraightFunction& function, const SourceRange& range,
                Block& to) {
        const Body& callee = function.body;
        locals_.clear();
        for (std::uint32_t i = 0; i < callee.locals.size(); ++i)
            locals_.push_back(i < call.args.size() ? parameter(callee, {i}, call.args[i], range, to)
                                                   : copy(callee.locals[i]));
        offset_ = static_cast<std::uint32_t>(body_.exprs.size());
        for (Expr expr : callee.exprs) {
            forEachOperand(expr, [&](ExprId& id) { id.index += offset_; });
            forEachReference<LocalId>(expr, [&](LocalId& id) { id = locals_[id.index]; });
            body_.exprs.push_back(std::move(expr));
        }
        Block statements = callee.statements;
        forEachStmt(statements, [&](Stmt& stmt) { rename(stmt); });
        std::move(statements.begin(), statements.end(), std::back_inserter(to));
        for (std::size_t i = 0; i < call.results.size(); ++i)
            assign(call.results[i], locals_[function.results[i].index], range, to);
    }

    LocalId copy(const Local& local) {
        body_.locals.push_back(
            {local.name, LocalKind::Temp, local.type, 0, local.range, local.isHelper});
        return {static_cast<std::uint32_t>(body_.locals.size() - 1)};
    }

    LocalId parameter(const Body& callee, LocalId id, ExprId arg, const SourceRange& range,
                      Block& to) {
        const Local& local = callee.locals[id.index];
        if (!local.type.isArray()) {
            const LocalId mine = copy(local);
            body_.locals[mine.index].isHelper = true;
            to.push_back({range, Set{mine, {}, arg}});
            return mine;
        }
        const LocalId given = std::get<ReadLocal>(body_[arg].node).local;
        if (!isAssigned(callee, id)) return given;
        const LocalId mine = copy(local);
        to.push_back({range, CopyArray{mine, given}});
        return mine;
    }

    void assign(LocalId to, LocalId from, const SourceRange& range, Block& block) {
        const Local& local = body_.locals[from.index];
        if (local.type.isArray()) {
            block.push_back({range, CopyArray{to, from}});
            return;
        }
        const ExprId value = addExpr(body_, {exprTypeOf(local.type.scalar), ReadLocal{from, {}}});
        block.push_back({range, Set{to, {}, value}});
    }

    void rename(Stmt& stmt) {
        forEachExpr(stmt, [&](ExprId& id) { id.index += offset_; });
        forEachReference<LocalId>(stmt, [&](LocalId& id) { id = locals_[id.index]; });
    }

    Body& body_;
    const std::function<const StraightFunction*(FunctionId)>& function_;
    std::size_t mostExprs_;
    bool gaveUp_ = false;
    std::vector<LocalId> locals_;  ///< of the call being replaced: the caller's
    std::uint32_t offset_ = 0;     ///< and where its expressions begin
};

/// What a Return of a function becomes.
Block assigned(const Body& body, const std::vector<LocalId>& results, const Stmt& stmt) {
    const auto& values = std::get<Return>(stmt.node).values;
    Block block;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!body.locals[results[i].index].type.isArray())
            block.push_back({stmt.range, Set{results[i], {}, values[i]}});
        else
            block.push_back(
                {stmt.range,
                 CopyArray{results[i], std::get<ReadLocal>(body[values[i]].node).local}});
    }
    return block;
}

}  // namespace

StraightFunction withResults(Body body, const std::vector<StorageType>& results) {
    StraightFunction result{std::move(body), {}};
    Body& to = result.body;
    for (const StorageType& type : results) {
        result.results.push_back({static_cast<std::uint32_t>(to.locals.size())});
        to.locals.push_back({"result", LocalKind::Temp, type, 0, {}, true});
    }
    to.statements = withoutExits(to, std::move(to.statements), Exit::Return, [&](const Stmt& stmt) {
        return assigned(to, result.results, stmt);
    });
    return result;
}

bool inlineCalls(Body& body, const std::function<const StraightFunction*(FunctionId)>& function,
                 std::size_t mostExprs) {
    return Inliner(body, function, mostExprs).run();
}

}  // namespace smec::passes
