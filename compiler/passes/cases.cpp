#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/builder.h"
#include "ir/reach.h"
#include "ir/references.h"
#include "passes/body.h"
#include "passes/passes.h"

// Many tests of one value with constants, one after the other, go to what that value does at once:
//
//   if (x == 7) { a(); }        if (3 <= x && x <= 7) {
//   if (x == 3) { b(); }            if (x < 7) { switch (x) { case 3: b(); } }
//   assert(x != 7);                 else { switch (x) { case 7: a(); assert(false); } }
//                               }
//
// g++ finds that, too, where it sees all of them in one function, at a price that grows with the
// square of their number; long bodies are functions of many parts.

namespace smec::passes {

using namespace ir;

namespace {

/// Something that happens where `subject` is `label` only.
struct Test {
    ExprId subject;
    Integer label;
};

class CaseGatherer {
public:
    CaseGatherer(Body& body, const rules::Asker& ledger, rules::Subject subject)
        : body_(body), ledger_(ledger), subject_(subject), reach_(body) {}

    /// Whether there were any.
    bool run() {
        gather(body_.statements);
        return found_;
    }

private:
    struct Case {
        Integer label;
        Block body;
        std::size_t size = 0;
    };
    using Cases = std::vector<Case>;

    void gather(Block& block) {
        for (Stmt& stmt : block)
            forEachBlock(stmt, [this](Block& inner) { gather(inner); });
        if (block.size() < target::kManyTests) return;
        Block gathered;
        for (std::size_t i = 0; i < block.size();) {
            const std::size_t end = endOfTests(block, i);
            if (ask(end - i)) {
                gathered.push_back(chosen(block, i, end));
                found_ = true;
            } else {
                std::move(block.begin() + std::ptrdiff_t(i),
                          block.begin() + std::ptrdiff_t(std::max(end, i + 1)),
                          std::back_inserter(gathered));
            }
            i = std::max(end, i + 1);
        }
        block = std::move(gathered);
    }

    /// Of so many tests of one value.
    bool ask(std::size_t tests) const {
        const rules::Finding found{rules::Condition::Tests, tests, target::kManyTests};
        return ledger_.ask(rules::Rule::Switches, subject_, {found}, found.holds() ? 1 : 0);
    }

    /// Behind the last of the tests of one value that begin there, none of which changes it.
    std::size_t endOfTests(const Block& block, std::size_t begin) {
        const std::optional<Test> first = testOf(block[begin]);
        if (!first) return begin;
        const std::set<std::uint32_t> variables = readBy(first->subject);
        for (std::size_t i = begin; i < block.size(); ++i) {
            const std::optional<Test> test = testOf(block[i]);
            if (!test || test->subject.index != first->subject.index) return i;
            if (sets(block[i], variables)) return i;
        }
        return block.size();
    }

    std::optional<Test> testOf(const Stmt& stmt) const {
        if (const auto* branch = std::get_if<If>(&stmt.node))
            return branch->no.empty() ? comparison(branch->condition, BinaryOp::Eq) : std::nullopt;
        const auto* check = std::get_if<Check>(&stmt.node);
        return check ? comparison(check->ok, BinaryOp::Ne) : std::nullopt;
    }

    std::optional<Test> comparison(ExprId id, BinaryOp op) const {
        const auto* compared = std::get_if<Binary>(&body_[id].node);
        if (!compared || compared->op != op) return std::nullopt;
        for (const auto& [subject, label] : {std::pair{compared->left, compared->right},
                                             std::pair{compared->right, compared->left}})
            if (const auto* constant = std::get_if<ConstInt>(&body_[label].node))
                return Test{subject, constant->value};
        return std::nullopt;
    }

    std::set<std::uint32_t> readBy(ExprId id) {
        std::set<std::uint32_t> variables;
        reach_.restart();
        reach_.from(id, [&](ExprId below) {
            forEachReference<LocalId>(body_[below],
                                      [&](LocalId local) { variables.insert(local.index); });
        });
        return variables;
    }

    static bool sets(const Stmt& stmt, const std::set<std::uint32_t>& variables) {
        bool found = false;
        const auto look = [&](const Stmt& inner) {
            forEachAssigned(
                inner, [&](LocalId local) { found = found || variables.contains(local.index); });
        };
        look(stmt);
        forEachBlock(stmt, [&](const Block& block) { forEachStmt(block, look); });
        return found;
    }

    Stmt chosen(Block& block, std::size_t begin, std::size_t end) {
        const SourceRange range = block[begin].range;
        const ExprId subject = testOf(block[begin])->subject;
        builder_.emplace(body_);
        std::map<Integer, Case> byLabel;
        for (std::size_t i = begin; i < end; ++i) {
            const Integer label = testOf(block[i])->label;
            Case& one = byLabel[label];
            one.label = label;
            add(one, std::move(block[i]));
        }
        Cases cases;
        for (auto& [label, one] : byLabel)
            cases.push_back(std::move(one));
        return within(choice(cases, 0, cases.size(), subject, range), subject,
                      {byLabel.begin()->first, byLabel.rbegin()->first});
    }

    void add(Case& one, Stmt stmt) {
        Block body;
        if (auto* branch = std::get_if<If>(&stmt.node)) {
            body = std::move(branch->yes);
        } else {
            std::get<Check>(stmt.node).ok = builder_->constant(false);
            body.push_back(std::move(stmt));
        }
        forEachStmt(std::as_const(body), [&](const Stmt&) { ++one.size; });
        std::move(body.begin(), body.end(), std::back_inserter(one.body));
    }

    /// Most values may be none of the labels.
    Stmt within(Stmt stmt, ExprId subject, const Interval& labels) {
        const ExprId isAbove =
            builder_->binary(BinaryOp::Le, builder_->constant(labels.low), subject);
        const ExprId isBelow =
            builder_->binary(BinaryOp::Le, subject, builder_->constant(labels.high));
        If inside{builder_->binary(BinaryOp::BoolAnd, isAbove, isBelow), {}, {}};
        if (const bool* always = builder_->boolean(inside.condition); always && *always)
            return stmt;
        const SourceRange range = stmt.range;
        inside.yes.push_back(std::move(stmt));
        return {range, std::move(inside)};
    }

    /// A tree, whose leaves are short enough to be parts of a function.
    Stmt choice(Cases& cases, std::size_t begin, std::size_t end, ExprId subject,
                SourceRange range) {
        std::size_t size = 0, half = 0;
        for (std::size_t i = begin; i < end; ++i)
            size += cases[i].size;
        if (size <= target::kCaseStatements || end - begin == 1)
            return leaf(cases, begin, end, subject, range);
        std::size_t middle = begin;
        while (middle + 1 < end && (middle == begin || half + cases[middle].size <= size / 2))
            half += cases[middle++].size;
        const ExprId label = builder_->constant(cases[middle].label);
        const ExprId isBelow = builder_->binary(BinaryOp::Lt, subject, label);
        If split{isBelow, {}, {}};
        split.yes.push_back(choice(cases, begin, middle, subject, range));
        split.no.push_back(choice(cases, middle, end, subject, range));
        return {range, std::move(split)};
    }

    static Stmt leaf(Cases& cases, std::size_t begin, std::size_t end, ExprId subject,
                     SourceRange range) {
        Switch all{subject, {}, {}};
        for (std::size_t i = begin; i < end; ++i)
            all.cases.push_back({{cases[i].label}, std::move(cases[i].body)});
        return {range, std::move(all)};
    }

    Body& body_;
    const rules::Asker& ledger_;
    const rules::Subject subject_;
    Reach reach_;
    std::optional<Builder> builder_;
    bool found_ = false;
};

}  // namespace

bool gatherCases(Design& design, const rules::Asker& ledger) {
    using rules::Subject;
    bool found = false;
    for (std::uint32_t i = 0; i < design.classes.size(); ++i)
        found |= CaseGatherer(design.classes[i].body, ledger, Subject::ofClass(i)).run();
    for (std::uint32_t i = 0; i < design.functions.size(); ++i)
        found |= CaseGatherer(design.functions[i].body, ledger, Subject::ofFunction(i)).run();
    return found;
}

}  // namespace smec::passes
