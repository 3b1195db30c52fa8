#pragma once

#include <cstdint>
#include <vector>

#include "ir/visit.h"

namespace smec::ir {

/// Finds the expressions that others use, directly or through operands, each once. The body outlives
/// it.
class Reach {
public:
    explicit Reach(const Body& body) : body_(body) {}

    /// What was found is new again.
    void restart() { ++now_; }
    /// Calls `use(ExprId)` for the expression and all below that were not found since the restart.
    template <typename F>
    void from(ExprId root, F&& use) {
        todo_.push_back(root);
        walk(use);
    }
    /// The same for what the statement itself uses, nested blocks excepted.
    template <typename F>
    void from(const Stmt& stmt, F&& use) {
        forEachExpr(stmt, [&](ExprId id) { todo_.push_back(id); });
        walk(use);
    }

private:
    template <typename F>
    void walk(F&& use) {
        found_.resize(body_.exprs.size());
        while (!todo_.empty()) {
            const ExprId id = todo_.back();
            todo_.pop_back();
            if (found_[id.index] == now_) continue;
            found_[id.index] = now_;
            use(id);
            forEachOperand(body_[id], [&](ExprId operand) { todo_.push_back(operand); });
        }
    }

    const Body& body_;
    std::vector<std::uint32_t> found_;  ///< in which round
    std::uint32_t now_ = 1;
    std::vector<ExprId> todo_;
};

}  // namespace smec::ir
