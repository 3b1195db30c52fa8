#include <functional>
#include <optional>
#include <vector>

#include "ir/references.h"
#include "passes/body.h"
#include "source/overloaded.h"

// An array of which every instance uses the same elements at a time, such as a ring that each cell
// fills at a place that goes on with the cycles:
//
//   mem[at] = x.v;  at = at + 1;      mem  a0 a1 a2 b0 b1 b2 c0 c1 c2   →   a0 b0 c0  a1 b1 c1  a2 b2 c2
//
// Its elements lie with those of the next instance then: an activation of all touches the lines of
// the elements in question and no others, and vector instructions take them as they lie.

namespace smec::passes {

using namespace ir;

namespace {

/// What values depend on, through assignments and the conditions around them.
class Dependence {
public:
    using IsSource = std::function<bool(const Expr&)>;

    /// `locals`: those that depend on it from the start; becomes all that do.
    Dependence(const Body& body, const IsSource& isSource, std::vector<bool> locals)
        : body_(body), isSource_(isSource), locals_(std::move(locals)) {
        do {
            changed_ = false;
            findExprs();
            walk(body.statements, false);
        } while (changed_);
    }

    bool has(ExprId id) const { return exprs_[id.index]; }

private:
    void findExprs() {
        exprs_.assign(body_.exprs.size(), false);
        for (std::size_t i = 0; i < exprs_.size(); ++i) {
            bool depends = isSource_(body_.exprs[i]);
            if (const auto* read = std::get_if<ReadLocal>(&body_.exprs[i].node))
                depends = depends || locals_[read->local.index];
            forEachOperand(body_.exprs[i], [&](ExprId id) { depends = depends || has(id); });
            exprs_[i] = depends;
        }
    }

    void mark(LocalId id) {
        changed_ = changed_ || !locals_[id.index];
        locals_[id.index] = true;
    }

    void walk(const Block& block, bool around) {
        for (const Stmt& stmt : block) {
            bool depends = around;
            forEachExpr(stmt, [&](ExprId id) { depends = depends || has(id); });
            if (depends) forEachAssigned(stmt, [&](LocalId id) { mark(id); });
            forEachBlock(stmt, [&](const Block& inner) { walk(inner, depends); });
        }
    }

    const Body& body_;
    const IsSource isSource_;
    std::vector<bool> locals_, exprs_;
    bool changed_ = false;
};

/// What differs between instances.
Dependence differencesOf(const Body& body, const Class& cls, const Design& design) {
    std::vector<bool> locals;
    for (const Local& local : body.locals) {
        const bool isScalarState = local.kind == LocalKind::State && !local.type.isArray();
        locals.push_back(
            isScalarState ? !design.planes[cls.state[local.slot].index].initial.values.isUniform()
                          : local.kind != LocalKind::Temp);
    }
    const Overloaded isSource{
        [](const AnyOf<ReadColumn, ReadInput> auto&) { return true; },
        [](const AnyOf<ConstInt, ConstBool, ConstFloat, ReadLocal, ReadTable, Cycle, Seed, Unary,
                       Binary, Select, Wrap, Convert> auto&) { return false; },
    };
    return {body, [&](const Expr& expr) { return smec::visit(isSource, expr.node); },
            std::move(locals)};
}

/// Which arrays can be spread.
class Candidates {
public:
    Candidates(const Body& body, const Class& cls, const Design& design,
               const std::vector<Interval>& intervals)
        : body_(body),
          intervals_(intervals),
          differences_(differencesOf(body, cls, design)),
          isFit_(body.locals.size()),
          isChosen_(body.locals.size()) {}

    std::vector<LocalId> run() {
        for (std::size_t i = 0; i < isFit_.size(); ++i) {
            const Local& local = body_.locals[i];
            isFit_[i] = local.kind == LocalKind::State && local.type.isArray()
                        && local.type.length > 1 && local.type.length <= target::kMostSpread;
        }
        for (const Expr& expr : body_.exprs) {
            if (const auto* read = std::get_if<ReadLocal>(&expr.node))
                use(read->local, read->index);
        }
        forEachStmt(body_.statements, [&](const Stmt& stmt) { useIn(stmt); });
        std::vector<LocalId> result;
        for (std::uint32_t i = 0; i < isFit_.size(); ++i)
            if (isFit_[i] && isChosen_[i] && !checksDependOn({i})) result.push_back({i});
        return result;
    }

private:
    void use(LocalId id, ExprId index) {
        if (!isFit_[id.index]) return;
        const Integer end = body_.locals[id.index].type.length;
        isFit_[id.index] = index.valid() && !differences_.has(index)
                           && intervals_[index.index].low >= 0
                           && intervals_[index.index].high < end;
        if (index.valid() && !std::holds_alternative<ConstInt>(body_[index].node))
            isChosen_[id.index] = true;
    }

    void useIn(const Stmt& stmt) {
        if (const LocalId copied = copiedLocal(stmt); copied.valid()) use(copied, {});
        if (const auto* set = std::get_if<Set>(&stmt.node)) return use(set->local, set->index);
        forEachAssigned(stmt, [&](LocalId id) { use(id, {}); });
    }

    /// Checks are looked at before anything is stored.
    bool checksDependOn(LocalId array) const {
        const Dependence contents(
            body_,
            [&](const Expr& expr) {
                const auto* read = std::get_if<ReadLocal>(&expr.node);
                return read != nullptr && read->local == array;
            },
            std::vector<bool>(body_.locals.size()));
        bool depend = false;
        forEachStmt(body_.statements, [&](const Stmt& stmt) {
            if (const auto* check = std::get_if<Check>(&stmt.node))
                depend = depend || contents.has(check->ok);
        });
        return depend;
    }

    const Body& body_;
    const std::vector<Interval>& intervals_;
    const Dependence differences_;
    std::vector<bool> isFit_;
    std::vector<bool> isChosen_;  ///< by an index that is no constant
};

}  // namespace

void spreadArrays(Body& body, const Class& cls, const Design& design,
                  const std::vector<Interval>& intervals) {
    for (const LocalId id : Candidates(body, cls, design, intervals).run())
        body.locals[id.index].form = LocalForm::Spread;
}

void findCommon(Body& body) {
    std::vector<bool> exprs(body.exprs.size()), locals(body.locals.size());
    const auto useIndex = [&](LocalId id, ExprId index) {
        if (body.locals[id.index].form == LocalForm::Spread) exprs[index.index] = true;
    };
    for (const Expr& expr : body.exprs) {
        if (const auto* read = std::get_if<ReadLocal>(&expr.node))
            useIndex(read->local, read->index);
    }
    forEachStmt(body.statements, [&](const Stmt& stmt) {
        if (const auto* set = std::get_if<Set>(&stmt.node)) useIndex(set->local, set->index);
    });
    bool changed = true;
    while (changed) {
        changed = false;
        for (std::size_t i = exprs.size(); i-- > 0;) {
            if (!exprs[i]) continue;
            forEachOperand(body.exprs[i], [&](ExprId id) { exprs[id.index] = true; });
            if (const auto* read = std::get_if<ReadLocal>(&body.exprs[i].node))
                locals[read->local.index] = true;
        }
        forEachStmt(body.statements, [&](const Stmt& stmt) {
            const auto* set = std::get_if<Set>(&stmt.node);
            if (set == nullptr || !locals[set->local.index] || exprs[set->value.index]) return;
            changed = exprs[set->value.index] = true;
        });
    }
    for (std::size_t i = 0; i < locals.size(); ++i) {
        Local& local = body.locals[i];
        if (locals[i] && local.kind == LocalKind::State && local.form == LocalForm::Own)
            local.form = LocalForm::Common;
    }
}

}  // namespace smec::passes
