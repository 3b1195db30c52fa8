#include "hdl/read_after_write.h"

#include <utility>

#include "hdl/word_part.h"

#include "ir/references.h"
#include "source/overloaded.h"

namespace smec {

namespace {

using namespace ir;

/// What a statement that holds no others sets. Straight bodies have no calls.
LocalId targetOf(const Stmt& stmt) {
    return smec::visit(Overloaded{
                           [](const Set& n) { return n.local; },
                           [](const AnyOf<CopyArray, FillArray> auto& n) { return n.to; },
                           [](const AnyOf<Check, If, For, Loop, CountRound, Switch, Break, Continue,
                                          Call, Return, Trace, Stop> auto&) { return LocalId{}; },
                       },
                       stmt.node);
}

class ReadAfterWrite {
public:
    ReadAfterWrite(const Body& body, const std::vector<Interval>& values)
        : body_(body),
          values_(values),
          seen_(body.exprs.size(), 0),
          found_(body.locals.size(), false) {}

    std::vector<bool> run(std::vector<bool> written) {
        walk(body_.statements, written);
        return std::move(found_);
    }

private:
    void walk(const Block& block, std::vector<bool>& written) {
        for (const Stmt& stmt : block) {
            ++round_;
            look(stmt, written);
            if (const LocalId from = copiedLocal(stmt); from.valid()) read(from, written);
            if (const LocalId to = targetOf(stmt); to.valid()) written[to.index] = true;
            if (const auto* loop = std::get_if<For>(&stmt.node)) {
                walk(loop->body, written);
                walk(loop->body, written);  // after the rounds before it
                continue;
            }
            std::vector<bool> after = written;
            forEachBlock(stmt, [&](const Block& inner) {
                std::vector<bool> within = written;
                walk(inner, within);
                for (std::size_t i = 0; i < within.size(); ++i)
                    if (within[i]) after[i] = true;
            });
            written = std::move(after);
        }
    }

    /// What stands in a word of which a part is set is not read.
    void look(const Stmt& stmt, const std::vector<bool>& written) {
        const auto* set = std::get_if<Set>(&stmt.node);
        const auto part = set ? hdl::wordPart(body_, values_, *set) : std::nullopt;
        if (!part) return forEachExpr(stmt, [&](ExprId id) { look(id, written); });
        for (const ExprId id : {part->bits.value, part->bits.place, set->index})
            if (id.valid()) look(id, written);
    }

    void read(LocalId local, const std::vector<bool>& written) {
        if (written[local.index]) found_[local.index] = true;
    }

    void look(ExprId id, const std::vector<bool>& written) {
        std::vector<ExprId> todo{id};
        while (!todo.empty()) {
            const ExprId at = todo.back();
            todo.pop_back();
            if (seen_[at.index] == round_) continue;
            seen_[at.index] = round_;
            forEachReference<LocalId>(body_[at], [&](LocalId local) { read(local, written); });
            forEachOperand(body_[at], [&](ExprId operand) { todo.push_back(operand); });
        }
    }

    const Body& body_;
    const std::vector<Interval>& values_;
    std::vector<std::uint64_t> seen_;
    std::uint64_t round_ = 0;
    std::vector<bool> found_;
};

void look(const Block& block, bool isBranch, std::vector<bool>& set, std::vector<bool>& found) {
    for (const Stmt& stmt : block) {
        if (const LocalId to = targetOf(stmt); to.valid() && !set[to.index]) {
            const auto* one = std::get_if<Set>(&stmt.node);
            if (isBranch || (one && one->index.valid())) found[to.index] = true;
            set[to.index] = true;
        }
        const bool isInBranch = isBranch || !isLoop(stmt);  // loops have at least one round
        forEachBlock(stmt, [&](const Block& inner) { look(inner, isInBranch, set, found); });
    }
}

/// Whether all that sets it are single words, which are counted.
bool countWords(const Block& block, LocalId array, std::size_t& count) {
    for (const Stmt& stmt : block) {
        if (copiedLocal(stmt) == array) return false;
        if (targetOf(stmt) == array) {
            if (!std::holds_alternative<Set>(stmt.node)) return false;
            ++count;
        }
        bool isGood = true;
        forEachBlock(
            stmt, [&](const Block& inner) { isGood = isGood && countWords(inner, array, count); });
        if (!isGood) return false;
    }
    return true;
}

}  // namespace

std::optional<std::size_t> hdl::wordsSet(const ir::Body& body, ir::LocalId array) {
    std::size_t count = 0;
    if (!countWords(body.statements, array, count)) return std::nullopt;
    return count;
}

std::vector<bool> hdl::readAfterWrite(const ir::Body& body, const std::vector<ir::Interval>& values,
                                      std::vector<bool> set) {
    return ReadAfterWrite(body, values).run(std::move(set));
}

std::vector<bool> hdl::setInBranch(const ir::Body& body) {
    std::vector<bool> set(body.locals.size(), false), found(body.locals.size(), false);
    look(body.statements, false, set, found);
    return found;
}

}  // namespace smec
