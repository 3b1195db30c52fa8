#include "hdl/long_loops.h"

#include <algorithm>

#include "ir/arithmetic.h"
#include "ir/visit.h"

namespace smec::hdl {

using namespace ir;

namespace {

constexpr std::uint64_t kMostRounds = 64;
constexpr std::uint64_t kPerElement = 3;         ///< operations, of an array that is copied
constexpr std::uint64_t kMostOperations = 3000;  ///< about 30,000 nodes of Verilator's tree

class Walk {
public:
    explicit Walk(const Body& body) : body_(body), found_(body.locals.size(), false) {
        sizes_.reserve(body.exprs.size());
        for (const Expr& expr : body.exprs) {
            std::uint64_t size = 1;
            forEachOperand(expr, [&](ExprId id) { size += sizes_[id.index]; });
            sizes_.push_back(std::min(size, kMostOperations));
        }
    }

    std::vector<bool> run() {
        (void)sizeOf(body_.statements);
        return std::move(found_);
    }

private:
    /// Operations, those of loops in each round.
    std::uint64_t sizeOf(const Block& block) {
        std::uint64_t size = 0;
        for (const Stmt& stmt : block) {
            std::uint64_t own = 1;
            forEachExpr(stmt, [&](ExprId id) { own += sizes_[id.index]; });
            forEachBlock(stmt, [&](const Block& inner) { own += sizeOf(inner); });
            if (const auto* copy = std::get_if<CopyArray>(&stmt.node))
                own += kPerElement * body_.locals[copy->to.index].type.elements();
            if (const auto* fill = std::get_if<FillArray>(&stmt.node))
                own += kPerElement * body_.locals[fill->to.index].type.elements();
            if (const auto* loop = std::get_if<For>(&stmt.node)) {
                const auto rounds = roundsOf(body_, *loop)->count.convert_to<std::uint64_t>();
                own *= rounds;
                if (rounds > kMostRounds || own > kMostOperations) mark(loop->body);
            }
            size += std::min(own, kMostOperations + 1);
        }
        return size;
    }

    void mark(const Block& block) {
        forEachStmt(block, [&](const Stmt& stmt) {
            if (const auto* set = std::get_if<Set>(&stmt.node)) found_[set->local.index] = true;
            if (const auto* copy = std::get_if<CopyArray>(&stmt.node))
                found_[copy->to.index] = true;
            if (const auto* fill = std::get_if<FillArray>(&stmt.node))
                found_[fill->to.index] = true;
        });
    }

    const Body& body_;
    std::vector<std::uint64_t> sizes_;  ///< by expression
    std::vector<bool> found_;
};

}  // namespace

std::vector<bool> setInLongLoops(const Body& body) { return Walk(body).run(); }

}  // namespace smec::hdl
