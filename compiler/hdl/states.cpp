#include "hdl/states.h"

#include <map>
#include <set>

#include <fmt/format.h>

#include "hdl/walk.h"

namespace smec::hdl {

namespace {

class StateNames {
public:
    StateNames(ModuleBuilder& builder, SignalId state, SignalId next, const SourceManager& sources)
        : builder_(builder), module_(builder.module()), sources_(sources), holders_{state, next} {}

    void run() {
        findCopies(module_.body);
        findLines(module_.body);
        for (std::uint32_t i = 0; i < module_.exprs.size(); ++i)
            if (module_.exprs[i].op == Op::Eq || module_.exprs[i].op == Op::Ne) compare({i});
        assign(module_.body);
    }

private:
    bool holdsState(ExprId id) const {
        return module_[id].op == Op::Ref && holders_.contains(module_[id].signal);
    }

    void findCopies(Block& block) {
        for (Stmt& stmt : block) {
            const auto* set = std::get_if<Assign>(&stmt.node);
            if (set && !set->index.valid() && holdsState(set->value)
                && module_[set->to].role == Role::Local)
                holders_.insert(set->to);
            forEachBlock(stmt, [&](Block& inner) { findCopies(inner); });
        }
    }

    /// The number that an expression compares the state with, if that is what it is.
    const Integer* comparedWith(ExprId id) const {
        const Expr& expr = module_[id];
        if (expr.op != Op::Eq) return nullptr;
        for (const auto& [state, other] :
             {std::pair(expr.args[0], expr.args[1]), std::pair(expr.args[1], expr.args[0])})
            if (holdsState(state) && module_[other].op == Op::Const) return &module_[other].value;
        return nullptr;
    }

    static SourceRange firstRange(Block& block) {
        for (Stmt& stmt : block) {
            if (stmt.range.valid()) return stmt.range;
            SourceRange inner;
            forEachBlock(stmt, [&](Block& one) {
                if (!inner.valid()) inner = firstRange(one);
            });
            if (inner.valid()) return inner;
        }
        return {};
    }

    void findLines(Block& block) {
        for (Stmt& stmt : block) {
            if (auto* branch = std::get_if<If>(&stmt.node))
                if (const Integer* number = comparedWith(branch->condition))
                    ranges_.try_emplace(*number, firstRange(branch->yes));
            forEachBlock(stmt, [&](Block& inner) { findLines(inner); });
        }
    }

    ExprId nameOf(ExprId constant) {
        const Expr expr = module_[constant];
        const auto [it, added] = names_.try_emplace(expr.value);
        if (added) {
            Signal signal;
            signal.role = Role::Constant;
            signal.type = expr.type;
            signal.initial = {expr.value};
            const auto range = ranges_.find(expr.value);
            const bool hasLine = range != ranges_.end() && range->second.valid();
            it->second = builder_.signal(
                hasLine ? fmt::format("at_line_{}",
                                      sources_.lineNumber(range->second.file, range->second.begin))
                        : fmt::format("at_state_{}", expr.value.str()),
                std::move(signal));
        }
        return module_[it->second].type == expr.type ? builder_.ref(it->second) : constant;
    }

    void compare(ExprId id) {
        for (std::size_t i = 0; i < 2; ++i) {
            const ExprId state = module_[id].args[i], other = module_[id].args[1 - i];
            if (!holdsState(state) || module_[other].op != Op::Const) continue;
            const ExprId name = nameOf(other);
            module_.exprs[id.index].args[1 - i] = name;
        }
    }

    void assign(Block& block) {
        for (Stmt& stmt : block) {
            if (auto* set = std::get_if<Assign>(&stmt.node))
                if (holders_.contains(set->to) && module_[set->value].op == Op::Const)
                    set->value = nameOf(set->value);
            forEachBlock(stmt, [&](Block& inner) { assign(inner); });
        }
    }

    ModuleBuilder& builder_;
    Module& module_;
    const SourceManager& sources_;
    std::set<SignalId> holders_;
    std::map<Integer, SourceRange> ranges_;  ///< by state
    std::map<Integer, SignalId> names_;      ///< by state
};

}  // namespace

void nameStates(ModuleBuilder& builder, SignalId state, SignalId next,
                const SourceManager& sources) {
    StateNames(builder, state, next, sources).run();
}

}  // namespace smec::hdl
