#include <algorithm>

#include "ir/visit.h"
#include "passes/body.h"
#include "passes/passes.h"

// Liveness by reference counts over whole bodies: a temporary that no expression reads is gone, and
// with it the statements that set it and what only they used; repeated until nothing changes. Then
// everything that is left is renumbered.

namespace smec::passes {

using namespace ir;

namespace {

// ---------------------------------------------------------------- statements

class Sweeper {
public:
    Sweeper(Body& body, const std::vector<Function>& functions)
        : body_(body), functions_(functions) {}

    void run() {
        do {
            findReads();
            changed_ = false;
            sweep(body_.statements);
        } while (changed_);
    }

private:
    void findReads() {
        used_.assign(body_.exprs.size(), false);
        read_.assign(body_.locals.size(), false);
        forEachStmt(body_.statements, [&](const Stmt& stmt) {
            forEachExpr(stmt, [&](ExprId id) { used_[id.index] = true; });
            const auto* copy = std::get_if<CopyArray>(&stmt.node);
            const auto* source = copy ? std::get_if<LocalId>(&copy->from) : nullptr;
            if (source) read_[source->index] = true;
        });
        for (std::size_t i = used_.size(); i-- > 0;) {
            if (!used_[i]) continue;
            forEachOperand(body_.exprs[i], [&](ExprId id) { used_[id.index] = true; });
            if (const auto* read = std::get_if<ReadLocal>(&body_.exprs[i].node))
                read_[read->local.index] = true;
        }
    }

    bool unread(LocalId id) const {
        return body_.locals[id.index].kind == LocalKind::Temp && !read_[id.index];
    }

    bool isDead(const Stmt& stmt) const {
        if (const auto* set = std::get_if<Set>(&stmt.node)) return unread(set->local);
        if (const auto* copy = std::get_if<CopyArray>(&stmt.node)) return unread(copy->to);
        if (const auto* fill = std::get_if<FillArray>(&stmt.node)) return unread(fill->to);
        if (const auto* branch = std::get_if<If>(&stmt.node))
            return branch->yes.empty() && branch->no.empty();
        if (const auto* loop = std::get_if<For>(&stmt.node))
            return loop->body.empty() && loop->rounds;
        if (const auto* call = std::get_if<Call>(&stmt.node)) {
            const Function& callee = functions_[call->function.index];
            return !callee.mayFail && !callee.mayTrace && !callee.callsForeign
                   && std::all_of(call->results.begin(), call->results.end(),
                                  [&](LocalId id) { return unread(id); });
        }
        if (const auto* choice = std::get_if<Switch>(&stmt.node)) {
            const auto idle = [](const SwitchCase& c) { return c.body.empty(); };
            return choice->otherwise.empty()
                   && std::all_of(choice->cases.begin(), choice->cases.end(), idle);
        }
        return false;
    }

    void sweep(Block& block) {
        for (Stmt& stmt : block)
            forEachBlock(stmt, [&](Block& inner) { sweep(inner); });
        changed_ =
            std::erase_if(block, [&](const Stmt& stmt) { return isDead(stmt); }) != 0 || changed_;
    }

    Body& body_;
    const std::vector<Function>& functions_;
    std::vector<bool> used_;
    std::vector<bool> read_;
    bool changed_ = false;
};

// ---------------------------------------------------------------- renumbering

/// Old numbers to new ones, for those in use.
class Renumbering {
public:
    explicit Renumbering(std::size_t size) : used_(size, false) {}
    void use(std::uint32_t i) { used_[i] = true; }
    bool isUsed(std::uint32_t i) const { return used_[i]; }

    /// Numbers what is in use and removes the rest from `items`.
    template <typename T>
    void compact(std::vector<T>& items) {
        numbers_.assign(used_.size(), UINT32_MAX);
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < used_.size(); ++i) {
            if (!used_[i]) continue;
            numbers_[i] = next;
            if (next != i) items[next] = std::move(items[i]);
            ++next;
        }
        items.resize(next);
    }

    std::uint32_t operator[](std::uint32_t old) const { return numbers_[old]; }

private:
    std::vector<bool> used_;
    std::vector<std::uint32_t> numbers_;
};

void compactExprs(Body& body) {
    Renumbering exprs(body.exprs.size());
    forEachStmt(body.statements, [&](const Stmt& stmt) {
        forEachExpr(stmt, [&](ExprId id) { exprs.use(id.index); });
    });
    for (auto i = static_cast<std::uint32_t>(body.exprs.size()); i-- > 0;) {
        if (exprs.isUsed(i)) forEachOperand(body.exprs[i], [&](ExprId id) { exprs.use(id.index); });
    }
    exprs.compact(body.exprs);
    auto renumber = [&](ExprId& id) { id.index = exprs[id.index]; };
    for (Expr& expr : body.exprs)
        forEachOperand(expr, renumber);
    forEachStmt(body.statements, [&](Stmt& stmt) { forEachExpr(stmt, renumber); });
}

/// Calls `use` for every local that a statement names.
template <typename F>
void forEachLocal(Stmt& stmt, F&& use) {
    if (auto* set = std::get_if<Set>(&stmt.node)) use(set->local);
    if (auto* fill = std::get_if<FillArray>(&stmt.node)) use(fill->to);
    if (auto* loop = std::get_if<For>(&stmt.node)) use(loop->var);
    if (auto* call = std::get_if<Call>(&stmt.node)) {
        for (LocalId& result : call->results)
            use(result);
    }
    if (auto* copy = std::get_if<CopyArray>(&stmt.node)) {
        use(copy->to);
        if (auto* source = std::get_if<LocalId>(&copy->from)) use(*source);
    }
}

void compactLocals(Body& body) {
    Renumbering locals(body.locals.size());
    for (std::uint32_t i = 0; i < body.locals.size(); ++i) {
        if (body.locals[i].kind != LocalKind::Temp) locals.use(i);
    }
    forEachStmt(body.statements, [&](Stmt& stmt) {
        forEachLocal(stmt, [&](LocalId& id) { locals.use(id.index); });
    });
    for (const Expr& expr : body.exprs) {
        if (const auto* read = std::get_if<ReadLocal>(&expr.node)) locals.use(read->local.index);
    }
    locals.compact(body.locals);
    forEachStmt(body.statements, [&](Stmt& stmt) {
        forEachLocal(stmt, [&](LocalId& id) { id.index = locals[id.index]; });
    });
    for (Expr& expr : body.exprs) {
        if (auto* read = std::get_if<ReadLocal>(&expr.node))
            read->local.index = locals[read->local.index];
    }
}

void compactInputs(Class& cls) {
    Renumbering inputs(cls.inputs.size()), columns(cls.columns.size());
    auto copied = [](Stmt& stmt) -> ReadInput* {
        auto* copy = std::get_if<CopyArray>(&stmt.node);
        return copy ? std::get_if<ReadInput>(&copy->from) : nullptr;
    };
    for (const Expr& expr : cls.body.exprs) {
        if (const auto* read = std::get_if<ReadInput>(&expr.node)) inputs.use(read->input);
        if (const auto* read = std::get_if<ReadColumn>(&expr.node)) columns.use(read->column);
    }
    forEachStmt(cls.body.statements, [&](Stmt& stmt) {
        if (const ReadInput* read = copied(stmt)) inputs.use(read->input);
    });
    inputs.compact(cls.inputs);
    columns.compact(cls.columns);
    for (Expr& expr : cls.body.exprs) {
        if (auto* read = std::get_if<ReadInput>(&expr.node)) read->input = inputs[read->input];
        if (auto* read = std::get_if<ReadColumn>(&expr.node)) read->column = columns[read->column];
    }
    forEachStmt(cls.body.statements, [&](Stmt& stmt) {
        if (ReadInput* read = copied(stmt)) read->input = inputs[read->input];
    });
}

/// Visits the ordinals of failure sites and traces.
template <typename OnFail, typename OnTrace>
void forEachSite(Body& body, OnFail&& onFail, OnTrace&& onTrace) {
    forEachStmt(body.statements, [&](Stmt& stmt) {
        if (auto* check = std::get_if<Check>(&stmt.node)) onFail(check->site);
        if (auto* trace = std::get_if<Trace>(&stmt.node)) onTrace(trace->site);
        if (auto* count = std::get_if<CountRound>(&stmt.node)) onFail(count->site);
    });
}

void compactSites(Design& design, ClassId id) {
    Class& cls = design.classes[id.index];
    if (cls.body.fails.empty() && cls.body.traces.empty()) return;
    std::vector<Body*> bodies{&cls.body};
    for (Function& function : design.functions) {
        if (function.owner == id) bodies.push_back(&function.body);
    }
    Renumbering fails(cls.body.fails.size()), traces(cls.body.traces.size());
    for (Body* body : bodies) {
        forEachSite(
            *body, [&](std::uint32_t site) { fails.use(site); },
            [&](std::uint32_t site) { traces.use(site); });
    }
    fails.compact(cls.body.fails);
    traces.compact(cls.body.traces);
    for (Body* body : bodies) {
        forEachSite(
            *body, [&](std::uint32_t& site) { site = fails[site]; },
            [&](std::uint32_t& site) { site = traces[site]; });
    }
}

// ---------------------------------------------------------------- functions and tables

/// Callees stand before callers, so one sweep settles what can fail or trace.
void refreshEffects(Design& design) {
    for (Function& function : design.functions) {
        function.mayFail = function.mayTrace = false;
        forEachSite(
            function.body, [&](std::uint32_t) { function.mayFail = true; },
            [&](std::uint32_t) { function.mayTrace = true; });
        forEachStmt(function.body.statements, [&](const Stmt& stmt) {
            const auto* call = std::get_if<Call>(&stmt.node);
            if (!call) return;
            const Function& callee = design.functions[call->function.index];
            function.mayFail = function.mayFail || callee.mayFail;
            function.mayTrace = function.mayTrace || callee.mayTrace;
            function.callsForeign = function.callsForeign || callee.callsForeign;
        });
    }
}

template <typename F>
void forEachCall(Body& body, F&& use) {
    forEachStmt(body.statements, [&](Stmt& stmt) {
        if (auto* call = std::get_if<Call>(&stmt.node)) use(call->function);
    });
}

void compactFunctions(Design& design) {
    Renumbering functions(design.functions.size());
    for (Class& cls : design.classes)
        forEachCall(cls.body, [&](FunctionId& id) { functions.use(id.index); });
    for (auto i = static_cast<std::uint32_t>(design.functions.size()); i-- > 0;) {
        if (functions.isUsed(i))
            forEachCall(design.functions[i].body, [&](FunctionId& id) { functions.use(id.index); });
    }
    functions.compact(design.functions);
    auto renumber = [&](FunctionId& id) { id.index = functions[id.index]; };
    for (Class& cls : design.classes)
        forEachCall(cls.body, renumber);
    for (Function& function : design.functions)
        forEachCall(function.body, renumber);
}

template <typename F>
void forEachTable(Body& body, F&& use) {
    for (Expr& expr : body.exprs) {
        if (auto* read = std::get_if<ReadTable>(&expr.node)) use(read->table);
    }
    forEachStmt(body.statements, [&](Stmt& stmt) {
        auto* copy = std::get_if<CopyArray>(&stmt.node);
        if (auto* table = copy ? std::get_if<TableId>(&copy->from) : nullptr) use(*table);
    });
}

void compactTables(Design& design) {
    Renumbering tables(design.tables.size());
    auto all = [&](auto&& use) {
        for (Class& cls : design.classes)
            forEachTable(cls.body, use);
        for (Function& function : design.functions)
            forEachTable(function.body, use);
    };
    all([&](TableId& id) { tables.use(id.index); });
    tables.compact(design.tables);
    all([&](TableId& id) { id.index = tables[id.index]; });
}

}  // namespace

void removeDead(Body& body, const Design& design) {
    Sweeper(body, design.functions).run();
    compactExprs(body);
    compactLocals(body);
}

void removeDead(Design& design) {
    refreshEffects(design);
    auto each = [&](auto&& clean) {
        for (Function& function : design.functions)
            clean(function.body);
        for (Class& cls : design.classes)
            clean(cls.body);
    };
    each([&](Body& body) { Sweeper(body, design.functions).run(); });
    compactFunctions(design);
    each(compactExprs);
    each(compactLocals);
    for (Class& cls : design.classes)
        compactInputs(cls);
    for (std::uint32_t i = 0; i < design.classes.size(); ++i)
        compactSites(design, {i});
    compactTables(design);
}

}  // namespace smec::passes
