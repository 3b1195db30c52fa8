// From the statements, in their order, down to operands, and numbered on the way back:
//
//   %0 = 1 · %1 = x · %2 = (x + 1) · %3 = (1 + 1)        y = (x + 1)
//   →  %0 = x · %1 = 1 · %2 = (x + 1)

#include "ir/tidy.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "ir/key.h"
#include "ir/visit.h"

namespace smec::ir {

namespace {

class Tidier {
public:
    Tidier(const Design& design, Body& body)
        : design_(design), body_(body), places_(body.exprs.size()) {}

    void run() {
        forEachStmt(body_.statements,
                    [&](Stmt& stmt) { forEachExpr(stmt, [&](ExprId& id) { id = place(id); }); });
        body_.exprs = std::move(kept_);
    }

private:
    ExprId place(ExprId root) {
        std::vector<ExprId> stack{root};
        while (!stack.empty()) {
            const ExprId id = stack.back();
            const std::size_t before = stack.size();
            if (!places_[id.index].valid()) pushOperands(id, stack);
            if (stack.size() != before) continue;
            stack.pop_back();
            if (!places_[id.index].valid()) places_[id.index] = add(body_.exprs[id.index]);
        }
        return places_[root.index];
    }

    /// Those that have no place, the first on top.
    void pushOperands(ExprId id, std::vector<ExprId>& stack) const {
        const std::size_t begin = stack.size();
        forEachOperand(std::as_const(body_.exprs[id.index]), [&](ExprId operand) {
            if (!places_[operand.index].valid()) stack.push_back(operand);
        });
        std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(begin), stack.end());
    }

    ExprId add(Expr expr) {
        forEachOperand(expr, [&](ExprId& operand) { operand = places_[operand.index]; });
        Key key;
        Canonical(design_, Contents{}, key).add(expr);
        const auto [entry, isNew] =
            numbers_.try_emplace(std::move(key), ExprId{static_cast<std::uint32_t>(kept_.size())});
        if (isNew) kept_.push_back(std::move(expr));
        return entry->second;
    }

    const Design& design_;
    Body& body_;
    std::vector<ExprId> places_;  ///< of each that there was
    std::vector<Expr> kept_;
    std::map<Key, ExprId> numbers_;
};

}  // namespace

void tidy(const Design& design, Body& body) { Tidier(design, body).run(); }

}  // namespace smec::ir
