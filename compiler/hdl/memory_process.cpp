#include "hdl/memory_process.h"

#include <algorithm>

#include "hdl/walk.h"
#include "source/overloaded.h"

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
            smec::visit(Overloaded{
                            [&](const Assign& n) { want(n.index), want(n.value); },
                            [&](const CopyArray& n) { want(n.from); },
                            [&](const FillArray& n) { want(n.value); },
                            [&](const If& n) {
                                if (isWantedIn(n.yes) || isWantedIn(n.no)) want(n.condition);
                            },
                            [&](const Case& n) {
                                if (isWantedIn({stmt})) want(n.subject);
                            },
                            [](const ir::AnyOf<For, Assert> auto&) {},
                        },
                        stmt.node);
            forEachBlock(stmt, [&](const Block& inner) { follow(inner); });
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
        const auto keep = [&](bool isEmpty, auto&& node) {
            if (!isEmpty) result.push_back({stmt.range, std::forward<decltype(node)>(node)});
        };
        smec::visit(Overloaded{
                        [&](const If& n) {
                            If kept{n.condition, filtered(n.yes, test), filtered(n.no, test)};
                            keep(kept.yes.empty() && kept.no.empty(), std::move(kept));
                        },
                        [&](const Case& n) {
                            Case kept{n.subject, {}, filtered(n.otherwise, test)};
                            bool isEmpty = kept.otherwise.empty();
                            for (const Choice& one : n.choices) {
                                kept.choices.push_back({one.labels, filtered(one.body, test)});
                                isEmpty = isEmpty && kept.choices.back().body.empty();
                            }
                            keep(isEmpty, std::move(kept));
                        },
                        [&](const For& n) {
                            For kept{n.counter, filtered(n.body, test)};
                            keep(kept.body.empty(), std::move(kept));
                        },
                        [&](const ir::AnyOf<Assign, CopyArray, FillArray, Assert> auto&) {
                            if (test(stmt)) result.push_back(stmt);
                        },
                    },
                    stmt.node);
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
