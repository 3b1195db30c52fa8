#include "hdl/long_loops.h"

#include <algorithm>

#include "hdl/target.h"
#include "ir/arithmetic.h"
#include "ir/references.h"
#include "source/overloaded.h"

namespace smec {

namespace {

using namespace ir;
namespace target = hdl::target;

class LoopSizes {
public:
    explicit LoopSizes(const Body& body) : body_(body), found_(body.locals.size(), false) {
        sizes_.reserve(body.exprs.size());
        for (const Expr& expr : body.exprs) {
            std::uint64_t size = 1;
            forEachOperand(expr, [&](ExprId id) { size += sizes_[id.index]; });
            sizes_.push_back(std::min(size, target::kMostOperations));
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
            smec::visit(Overloaded{
                            [&](const AnyOf<CopyArray, FillArray> auto& n) {
                                own += target::kElementOperations
                                       * body_.locals[n.to.index].type.elements();
                            },
                            [&](const For& n) {
                                const auto rounds =
                                    roundsOf(body_, n)->count.convert_to<std::uint64_t>();
                                own *= rounds;
                                if (rounds > target::kMostUnrolled || own > target::kMostOperations)
                                    mark(n.body);
                            },
                            [](const AnyOf<Set, Check, If, Loop, CountRound, Switch, Break,
                                           Continue, Call, Return, Trace, Stop> auto&) {},
                        },
                        stmt.node);
            size += std::min(own, target::kMostOperations + 1);
        }
        return size;
    }

    void mark(const Block& block) {
        forEachStmt(block, [&](const Stmt& stmt) {
            forEachAssigned(stmt, [&](LocalId id) { found_[id.index] = true; });
        });
    }

    const Body& body_;
    std::vector<std::uint64_t> sizes_;  ///< by expression
    std::vector<bool> found_;
};

}  // namespace

std::vector<bool> hdl::setInLongLoops(const ir::Body& body) { return LoopSizes(body).run(); }

}  // namespace smec
