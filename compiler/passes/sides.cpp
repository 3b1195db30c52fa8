#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/lanes.h"
#include "ir/reach.h"
#include "ir/references.h"
#include "passes/body.h"

// What both sides of a branch set at last is set once, behind it, so that one select chooses and what
// the variable held before does not matter:
//
//   if (k) { t = a * 3;  v = t + 1; } else { v = b; }     taken = k;
//                                                         if (taken) { t = a * 3; }
//                                                         v = taken ? t + 1 : b;
//
// An `if` that does nothing but set one variable is what that becomes, or stays:
//
//   if (k) { v = a; } else { if (l) { v = b; } }          v = k ? a : l ? b : v;
//
// What an activation has set before a check fails counts: what outlives it is not moved behind one.
//
//   if (k) { v = 1; assert(a < 9); } else { v = 2; }      stays

namespace smec::passes {

using namespace ir;

namespace {

/// What is read and set in a block, one entry for each of its statements.
class SideUses {
public:
    SideUses(const Body& body, const Block& block) : body_(body), reach_(body) {
        for (const Stmt& stmt : block) {
            Entry& entry = entries_.emplace_back();
            add(stmt, entry);
            forEachBlock(stmt, [&](const Block& inner) {
                forEachStmt(inner, [&](const Stmt& nested) { add(nested, entry); });
            });
            if (entry.mayFail) lastThatFails_ = entries_.size();
        }
    }

    bool isSetFrom(std::size_t first, LocalId id) const {
        return std::any_of(entries_.begin() + std::ptrdiff_t(first), entries_.end(),
                           [&](const Entry& entry) { return has(entry.set, id); });
    }
    bool isUsedFrom(std::size_t first, LocalId id) const {
        return isSetFrom(first, id)
               || std::any_of(entries_.begin() + std::ptrdiff_t(first), entries_.end(),
                              [&](const Entry& entry) { return has(entry.read, id); });
    }
    const std::vector<LocalId>& readBy(std::size_t stmt) const { return entries_[stmt].read; }
    bool mayFailFrom(std::size_t first) const { return first < lastThatFails_; }

private:
    struct Entry {
        std::vector<LocalId> read, set;
        bool mayFail = false;
    };

    static bool has(const std::vector<LocalId>& list, LocalId id) {
        return std::find(list.begin(), list.end(), id) != list.end();
    }

    void add(const Stmt& stmt, Entry& entry) {
        entry.mayFail = entry.mayFail || std::holds_alternative<Check>(stmt.node);
        forEachAssigned(stmt, [&](LocalId id) { entry.set.push_back(id); });
        if (const LocalId copied = copiedLocal(stmt); copied.valid()) entry.read.push_back(copied);
        reach_.restart();
        reach_.from(stmt, [&](ExprId id) {
            forEachReference<LocalId>(body_[id],
                                      [&](LocalId local) { entry.read.push_back(local); });
        });
    }

    const Body& body_;
    Reach reach_;
    std::vector<Entry> entries_;
    std::size_t lastThatFails_ = 0;  ///< of the entries, counted from 1
};

class SideJoiner {
public:
    explicit SideJoiner(Body& body) : body_(body) {}

    Block run(Block block) {
        Block result;
        const std::size_t before = known_.size();
        for (Stmt& stmt : block) {
            forEachBlock(stmt, [&](Block& inner) { inner = run(std::move(inner)); });
            const auto* set = std::get_if<Set>(&stmt.node);
            if (set != nullptr && !set->index.valid()) known_.push_back(set->local);
            if (std::holds_alternative<If>(stmt.node))
                join(std::move(stmt), result);
            else
                result.push_back(std::move(stmt));
        }
        known_.resize(before);
        return result;
    }

private:
    /// What one variable becomes on either side.
    struct Pair {
        LocalId local;
        std::size_t yes, no;  ///< statements
    };

    void join(Stmt stmt, Block& to) {
        If& branch = std::get<If>(stmt.node);
        const std::vector<Pair> pairs = pairsOf(branch);
        if (pairs.empty()) return to.push_back(std::move(stmt));
        Block sets;
        const bool isAll = branch.yes.size() == 1 && branch.no.size() == 1;
        if (!isAll) keepCondition(branch, stmt.range, to);
        for (const Pair& pair : pairs) {
            const ExprId yes = valueOf(branch.yes[pair.yes]), no = valueOf(branch.no[pair.no]);
            const ExprId either =
                addExpr(body_, {body_[yes].type, Select{branch.condition, yes, no}});
            sets.push_back({branch.yes[pair.yes].range, Set{pair.local, {}, either}});
        }
        remove(branch, pairs);
        if (!branch.yes.empty() || !branch.no.empty()) to.push_back(std::move(stmt));
        std::move(sets.begin(), sets.end(), std::back_inserter(to));
    }

    /// The branch may change what its condition reads.
    void keepCondition(If& branch, const SourceRange& range, Block& to) {
        const LocalId taken{static_cast<std::uint32_t>(body_.locals.size())};
        body_.locals.push_back({"taken", LocalKind::Temp, {{ScalarKind::Bool, false, 1}, 0}});
        to.push_back({range, Set{taken, {}, branch.condition}});
        branch.condition = addExpr(body_, {ExprType::Bool, ReadLocal{taken, {}}});
    }

    std::vector<Pair> pairsOf(const If& branch) const {
        if (branch.yes.empty() || branch.no.empty()) return {};
        const SideUses yes(body_, branch.yes), no(body_, branch.no);
        std::vector<LocalId> others;  // by statement of the other side
        for (std::size_t i = 0; i < branch.no.size(); ++i)
            others.push_back(lastSet(branch.no, no, i));
        std::vector<Pair> pairs;
        for (std::size_t i = 0; i < branch.yes.size(); ++i) {
            const LocalId local = lastSet(branch.yes, yes, i);
            if (!local.valid()) continue;
            for (std::size_t k = 0; k < others.size(); ++k)
                if (others[k] == local) pairs.push_back({local, i, k});
        }
        return pairs;
    }

    /// The one scalar that the statement sets, at most; invalid: there is more to it.
    LocalId onlySet(const Stmt& stmt) const {
        const auto* branch = std::get_if<If>(&stmt.node);
        const Stmt* const only = branch == nullptr ? &stmt : onlyStatement(*branch);
        const auto* set = only != nullptr ? std::get_if<Set>(&only->node) : nullptr;
        if (set == nullptr || set->index.valid()) return {};
        if (branch == nullptr) return set->local;
        // a variable that is not set yet has nothing that could stay
        const bool isThere = body_.locals[set->local.index].kind != LocalKind::Temp
                             || std::find(known_.begin(), known_.end(), set->local) != known_.end();
        return isThere && !isAccess(body_, stmt) && !isAccess(body_, *only) ? set->local
                                                                            : LocalId{};
    }

    static const Stmt* onlyStatement(const If& branch) {
        if (branch.yes.size() + branch.no.size() != 1) return nullptr;
        return &(branch.yes.empty() ? branch.no : branch.yes).front();
    }

    /// What the scalar of onlySet() becomes.
    ExprId valueOf(const Stmt& stmt) {
        const auto* branch = std::get_if<If>(&stmt.node);
        if (branch == nullptr) return std::get<Set>(stmt.node).value;
        const auto& set = std::get<Set>(onlyStatement(*branch)->node);
        const Scalar scalar = body_.locals[set.local.index].type.scalar;
        const ExprId old = addExpr(body_, {exprTypeOf(scalar), ReadLocal{set.local, {}}});
        const bool isYes = branch->no.empty();
        return addExpr(
            body_, {body_[set.value].type,
                    Select{branch->condition, isYes ? set.value : old, isYes ? old : set.value}});
    }

    /// The scalar that a statement sets, if nobody looks at it after that, to a value that can be
    /// computed at the end of the block as well; else invalid.
    LocalId lastSet(const Block& block, const SideUses& uses, std::size_t at) const {
        const LocalId local = onlySet(block[at]);
        if (!local.valid() || uses.isUsedFrom(at + 1, local)) return {};
        const bool outlives = body_.locals[local.index].kind != LocalKind::Temp;
        if (outlives && uses.mayFailFrom(at + 1)) return {};
        const std::vector<LocalId>& read = uses.readBy(at);
        const bool isChanged = std::any_of(read.begin(), read.end(),
                                           [&](LocalId id) { return uses.isSetFrom(at + 1, id); });
        return isChanged ? LocalId{} : local;
    }

    static void remove(If& branch, const std::vector<Pair>& pairs) {
        std::vector<bool> yes(branch.yes.size()), no(branch.no.size());
        for (const Pair& pair : pairs)
            yes[pair.yes] = no[pair.no] = true;
        const auto keepOthers = [](Block& block, const std::vector<bool>& isGone) {
            Block kept;
            for (std::size_t i = 0; i < block.size(); ++i)
                if (!isGone[i]) kept.push_back(std::move(block[i]));
            block = std::move(kept);
        };
        keepOthers(branch.yes, yes);
        keepOthers(branch.no, no);
    }

    Body& body_;
    std::vector<LocalId> known_;  ///< scalars that are set whatever the branches around are
};

}  // namespace

void joinSides(Body& body) {
    Block statements = std::move(body.statements);
    body.statements = SideJoiner(body).run(std::move(statements));
}

}  // namespace smec::passes
