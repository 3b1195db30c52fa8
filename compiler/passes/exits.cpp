#include "ir/visit.h"
#include "passes/body.h"
#include "source/overloaded.h"

// What a return, break or continue leaves out moves into the other branch, or after a test of a
// flag where only some ways through a statement leave:
//
//   if (a) { return 1; }                         if (a) { r = 1; } else { r = 2; }
//   return 2;
//
//   if (a) { c = 1; if (b) { return 1; } }       left = false;
//   return 2;                                    if (a) { c = 1; if (b) { left = true; r = 1; } }
//                                                if (!left) { r = 2; }

namespace smec::passes {

using namespace ir;

namespace {

class Structurer {
public:
    Structurer(Body& body, Exit exit, const std::function<Block(const Stmt&)>& instead)
        : body_(body), exit_(exit), instead_(instead) {}

    Block run(Block from) {
        Block to;
        for (std::size_t i = 0; i < from.size(); ++i) {
            Stmt& stmt = from[i];
            if (isExit(stmt)) {
                leave(stmt, to);
                return to;
            }
            if (!contains(stmt)) {
                to.push_back(std::move(stmt));
                continue;
            }
            Block rest(std::make_move_iterator(from.begin() + std::ptrdiff_t(i) + 1),
                       std::make_move_iterator(from.end()));
            Stmt last = std::move(stmt);
            from = {};  // before going deeper: after each of n exits stand all that follow
            add(std::move(last), std::move(rest), to);
            return to;
        }
        return to;
    }

private:
    bool isExit(const Stmt& stmt) const {
        return smec::visit(
            Overloaded{
                [&](const Return&) { return exit_ == Exit::Return; },
                [&](const Break&) { return exit_ == Exit::Break; },
                [&](const Continue&) { return exit_ == Exit::Continue; },
                [](const AnyOf<Set, CopyArray, FillArray, Check, If, For, Loop, CountRound, Switch,
                               Call, Trace, Stop> auto&) { return false; },
            },
            stmt.node);
    }

    bool contains(const Stmt& stmt) const {
        if (isExit(stmt)) return true;
        if (isLoop(stmt) && exit_ != Exit::Return) return false;
        bool found = false;
        forEachBlock(stmt, [&](const Block& inner) {
            for (const Stmt& each : inner)
                found = found || contains(each);
        });
        return found;
    }

    bool alwaysLeaves(const Block& block) const {
        if (block.empty()) return false;
        if (isExit(block.back())) return true;
        const auto* branch = std::get_if<If>(&block.back().node);
        return branch && alwaysLeaves(branch->yes) && alwaysLeaves(branch->no);
    }

    void leave(const Stmt& stmt, Block& to) {
        for (const LocalId flag : flags_)
            to.push_back({stmt.range, Set{flag, {}, constant(true)}});
        if (!instead_) return;
        Block block = instead_(stmt);
        std::move(block.begin(), block.end(), std::back_inserter(to));
    }

    void add(Stmt stmt, Block rest, Block& to) {
        if (auto* branch = std::get_if<If>(&stmt.node)) {
            const bool yes = alwaysLeaves(branch->yes), no = alwaysLeaves(branch->no);
            if (yes || no || rest.empty()) {
                Block& other = yes ? branch->no : branch->yes;
                if (yes != no) std::move(rest.begin(), rest.end(), std::back_inserter(other));
                rest = {};
                branch->yes = run(std::move(branch->yes));
                branch->no = run(std::move(branch->no));
                to.push_back(std::move(stmt));
                return;
            }
        }
        const SourceRange range = stmt.range;
        const LocalId flag{static_cast<std::uint32_t>(body_.locals.size())};
        if (!rest.empty()) {
            body_.locals.push_back(
                {"left", LocalKind::Temp, {{ScalarKind::Bool, false, 1}, 0}, 0, {}});
            to.push_back({range, Set{flag, {}, constant(false)}});
            flags_.push_back(flag);
        }
        forEachBlock(stmt, [&](Block& inner) { inner = run(std::move(inner)); });
        to.push_back(std::move(stmt));
        if (rest.empty()) return;
        flags_.pop_back();
        const ExprId left = add({ExprType::Bool, ReadLocal{flag, {}}});
        const ExprId stays = add({ExprType::Bool, Unary{UnaryOp::Not, left}});
        to.push_back({range, If{stays, run(std::move(rest)), {}}});
    }

    ExprId add(Expr expr) { return addExpr(body_, std::move(expr)); }
    ExprId constant(bool value) { return add({ExprType::Bool, ConstBool{value}}); }

    Body& body_;
    const Exit exit_;
    const std::function<Block(const Stmt&)>& instead_;
    std::vector<LocalId> flags_;  ///< that tell statements further on of an exit here
};

}  // namespace

Block withoutExits(Body& body, Block block, Exit exit,
                   const std::function<Block(const Stmt&)>& instead) {
    return Structurer(body, exit, instead).run(std::move(block));
}

}  // namespace smec::passes
