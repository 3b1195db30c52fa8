#include "hdl/memory_process.h"

#include <algorithm>

#include "hdl/walk.h"

namespace smec::hdl {

namespace {

bool isSetMemory(const Module& module, const Stmt& stmt) {
    const auto target = targetOf(stmt);
    return target && module[*target].isMemory;
}

/// Follows what memories are set from back to the locals that it comes from.
class Slicer {
public:
    explicit Slicer(const Module& module)
        : module_(module),
          wanted_(module.signals.size(), false),
          seen_(module.exprs.size(), false) {
        for (std::size_t i = 0; i < module.signals.size(); ++i)
            wanted_[i] = module.signals[i].isMemory;
    }

    void run() {
        do {
            grew_ = false;
            follow(module_.body);
        } while (grew_);
    }
    bool isWanted(SignalId id) const { return wanted_[id.index]; }

private:
    bool isWantedIn(const Block& block) const {
        return anyStatement(block, [&](const Stmt& stmt) {
            const auto target = targetOf(stmt);
            return target && isWanted(*target);
        });
    }

    void follow(const Block& block) {
        for (const Stmt& stmt : block) {
            const auto target = targetOf(stmt);
            if (target && !isWanted(*target)) continue;
            if (const auto* set = std::get_if<Assign>(&stmt.node)) {
                want(set->index);
                want(set->value);
            } else if (const auto* copy = std::get_if<CopyArray>(&stmt.node)) {
                want(copy->from);
            } else if (const auto* fill = std::get_if<FillArray>(&stmt.node)) {
                want(fill->value);
            } else if (const auto* branch = std::get_if<If>(&stmt.node)) {
                if (isWantedIn(branch->yes) || isWantedIn(branch->no)) want(branch->condition);
                follow(branch->yes);
                follow(branch->no);
            } else if (const auto* choice = std::get_if<Case>(&stmt.node)) {
                if (isWantedIn({stmt})) want(choice->subject);
                for (const Choice& one : choice->choices)
                    follow(one.body);
                follow(choice->otherwise);
            } else if (const auto* loop = std::get_if<For>(&stmt.node)) {
                follow(loop->body);
            }
        }
    }

    void want(SignalId id) {
        const Signal& signal = module_[id];
        if (wanted_[id.index] || (signal.role != Role::Local && !signal.isBlocking)) return;
        wanted_[id.index] = true;
        grew_ = true;
    }
    void want(ExprId id) {
        if (!id.valid() || seen_[id.index]) return;
        seen_[id.index] = true;
        const Expr& expr = module_[id];
        if (expr.signal.valid()) want(expr.signal);
        for (const ExprId arg : expr.args)
            want(arg);
    }

    const Module& module_;
    std::vector<bool> wanted_, seen_;  ///< by signal, by expression
    bool grew_ = false;
};

/// The statements that `test` holds for, in the branches that they stand in.
template <typename Test>
Block filtered(const Block& block, const Test& test) {
    Block result;
    for (const Stmt& stmt : block) {
        if (const auto* branch = std::get_if<If>(&stmt.node)) {
            If kept{branch->condition, filtered(branch->yes, test), filtered(branch->no, test)};
            if (!kept.yes.empty() || !kept.no.empty())
                result.push_back({stmt.range, std::move(kept)});
        } else if (const auto* choice = std::get_if<Case>(&stmt.node)) {
            Case kept{choice->subject, {}, filtered(choice->otherwise, test)};
            bool isEmpty = kept.otherwise.empty();
            for (const Choice& one : choice->choices) {
                kept.choices.push_back({one.labels, filtered(one.body, test)});
                isEmpty = isEmpty && kept.choices.back().body.empty();
            }
            if (!isEmpty) result.push_back({stmt.range, std::move(kept)});
        } else if (const auto* loop = std::get_if<For>(&stmt.node)) {
            For kept{loop->counter, filtered(loop->body, test)};
            if (!kept.body.empty()) result.push_back({stmt.range, std::move(kept)});
        } else if (test(stmt)) {
            result.push_back(stmt);
        }
    }
    return result;
}

}  // namespace

bool isChosenAgainst(const Module& module, SignalId memory) {
    const auto reads = [&](const Expr& expr) {
        const bool isWord = expr.op == Op::Element || expr.op == Op::Slice || expr.op == Op::Part;
        return isWord && expr.signal == memory;
    };
    const bool isForwarded =
        std::any_of(module.exprs.begin(), module.exprs.end(), [&](const Expr& expr) {
            return expr.op == Op::Choose && reads(module[expr.args[2]]);
        });
    if (isForwarded) return true;
    std::vector<std::size_t> count(module.signals.size(), 0);
    (void)anyStatement(module.body, [&](const Stmt& stmt) {
        if (const auto target = targetOf(stmt)) ++count[target->index];
        return false;
    });
    const auto isGated = [&](const Stmt& stmt) {
        const auto* set = std::get_if<Assign>(&stmt.node);
        return set && reads(module[set->value]) && count[set->to.index] > 1;
    };
    return std::any_of(module.body.begin(), module.body.end(), [&](const Stmt& stmt) {
        return !targetOf(stmt) && anyStatement({stmt}, isGated);
    });
}

std::optional<MemoryProcess> memoryProcess(const Module& module) {
    const auto setsMemory = [&](const Stmt& stmt) { return isSetMemory(module, stmt); };
    if (module.kind != Kind::Clocked || !anyStatement(module.body, setsMemory)) return std::nullopt;
    Slicer slicer(module);
    slicer.run();
    MemoryProcess result;
    result.locals.resize(module.signals.size(), false);
    for (std::uint32_t i = 0; i < module.signals.size(); ++i) {
        if (!slicer.isWanted({i})) continue;
        if (module.signals[i].isBlocking) return std::nullopt;
        result.locals[i] = module.signals[i].role == Role::Local;
    }
    result.memories = filtered(module.body, [&](const Stmt& stmt) {
        const auto target = targetOf(stmt);
        return target && slicer.isWanted(*target);
    });
    result.rest = filtered(module.body, [&](const Stmt& stmt) { return !setsMemory(stmt); });
    return result;
}

}  // namespace smec::hdl
