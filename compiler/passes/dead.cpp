#include <algorithm>

#include "ir/references.h"
#include "passes/body.h"
#include "passes/passes.h"
#include "source/overloaded.h"

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
            if (const LocalId source = copiedLocal(stmt); source.valid())
                read_[source.index] = true;
        });
        for (std::size_t i = used_.size(); i-- > 0;) {
            if (!used_[i]) continue;
            forEachOperand(body_.exprs[i], [&](ExprId id) { used_[id.index] = true; });
            forEachReference<LocalId>(body_.exprs[i], [&](LocalId id) { read_[id.index] = true; });
        }
    }

    bool unread(LocalId id) const {
        return body_.locals[id.index].kind == LocalKind::Temp && !read_[id.index];
    }

    bool isDead(const Stmt& stmt) const {
        return smec::visit(
            Overloaded{
                [&](const Set& n) { return unread(n.local); },
                [&](const AnyOf<CopyArray, FillArray> auto& n) { return unread(n.to); },
                [](const If& n) { return n.yes.empty() && n.no.empty(); },
                [](const For& n) { return n.body.empty() && n.rounds; },
                [](const Switch& n) {
                    const auto idle = [](const SwitchCase& c) { return c.body.empty(); };
                    return n.otherwise.empty() && std::all_of(n.cases.begin(), n.cases.end(), idle);
                },
                [&](const Call& n) { return isDead(n); },
                [](const AnyOf<Check, Loop, CountRound, Break, Continue, Return, Trace,
                               Stop> auto&) { return false; },
            },
            stmt.node);
    }

    bool isDead(const Call& call) const {
        const Function& callee = functions_[call.function.index];
        return !callee.mayFail && !callee.mayTrace && !callee.callsForeign
               && std::all_of(call.results.begin(), call.results.end(),
                              [&](LocalId id) { return unread(id); });
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

void compactLocals(Body& body) {
    Renumbering locals(body.locals.size());
    for (std::uint32_t i = 0; i < body.locals.size(); ++i) {
        if (body.locals[i].kind != LocalKind::Temp) locals.use(i);
    }
    forEachReference<LocalId>(body, [&](LocalId id) { locals.use(id.index); });
    locals.compact(body.locals);
    forEachReference<LocalId>(body, [&](LocalId& id) { id.index = locals[id.index]; });
}

void compactInputs(Class& cls) {
    Renumbering inputs(cls.inputs.size()), columns(cls.columns.size());
    forEachReference<ReadInput>(cls.body, [&](const ReadInput& n) { inputs.use(n.input); });
    forEachReference<ReadColumn>(cls.body, [&](const ReadColumn& n) { columns.use(n.column); });
    inputs.compact(cls.inputs);
    columns.compact(cls.columns);
    forEachReference<ReadInput>(cls.body, [&](ReadInput& n) { n.input = inputs[n.input]; });
    forEachReference<ReadColumn>(cls.body, [&](ReadColumn& n) { n.column = columns[n.column]; });
}

/// Visits the ordinals of failure sites and traces.
template <typename OnFail, typename OnTrace>
void forEachSite(Body& body, OnFail&& onFail, OnTrace&& onTrace) {
    const Overloaded visitor{
        [&](AnyOf<Check, CountRound> auto& n) { onFail(n.site); },
        [&](Trace& n) { onTrace(n.site); },
        [](const AnyOf<LocalId, TableId, FunctionId, ReadInput> auto&) {},
    };
    forEachStmt(body.statements, [&](Stmt& stmt) { forEachReference(stmt, visitor); });
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
        forEachReference<FunctionId>(function.body, [&](FunctionId id) {
            const Function& callee = design.functions[id.index];
            function.mayFail = function.mayFail || callee.mayFail;
            function.mayTrace = function.mayTrace || callee.mayTrace;
            function.callsForeign = function.callsForeign || callee.callsForeign;
        });
    }
}

void compactFunctions(Design& design) {
    Renumbering functions(design.functions.size());
    for (Class& cls : design.classes)
        forEachReference<FunctionId>(cls.body, [&](FunctionId& id) { functions.use(id.index); });
    for (auto i = static_cast<std::uint32_t>(design.functions.size()); i-- > 0;) {
        if (functions.isUsed(i))
            forEachReference<FunctionId>(design.functions[i].body,
                                         [&](FunctionId& id) { functions.use(id.index); });
    }
    functions.compact(design.functions);
    auto renumber = [&](FunctionId& id) { id.index = functions[id.index]; };
    for (Class& cls : design.classes)
        forEachReference<FunctionId>(cls.body, renumber);
    for (Function& function : design.functions)
        forEachReference<FunctionId>(function.body, renumber);
}

void compactTables(Design& design) {
    Renumbering tables(design.tables.size());
    auto all = [&](auto&& use) {
        for (Class& cls : design.classes)
            forEachReference<TableId>(cls.body, use);
        for (Function& function : design.functions)
            forEachReference<TableId>(function.body, use);
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
