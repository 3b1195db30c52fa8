#include <catch2/catch.hpp>

#include <map>
#include <optional>
#include <random>
#include <vector>

#include "passes/known_facts.h"

// The facts beside the plainest way to keep them: maps that are copied at each mark. Random walks of
// what a walk over a body does; after each step both know the same.

namespace {

using namespace smec::ir;
using smec::passes::KnownFacts;

constexpr std::uint32_t kLocals = 5;
constexpr std::uint32_t kExprs = 16;

/// Reads of the locals, then sums of what is in front of them.
Body bodyOf(std::mt19937& random) {
    Body body;
    for (std::uint32_t i = 0; i < kLocals; ++i) {
        body.locals.push_back({"t", LocalKind::Temp, {}});
        body.exprs.push_back({ExprType::Int, ReadLocal{LocalId{i}, {}}});
    }
    while (body.exprs.size() < kExprs) {
        const auto some = [&] {
            return ExprId{static_cast<std::uint32_t>(random() % body.exprs.size())};
        };
        body.exprs.push_back({ExprType::Int, Binary{BinaryOp::Add, some(), some()}});
    }
    return body;
}

struct Plain {
    std::map<ExprId, Interval> intervals;
    std::map<ExprId, bool> conditions;
    std::map<ExprId, KnownFacts::Choice> choices;
};

bool reads(const Body& body, ExprId id, LocalId local) {
    const Expr& expr = body[id];
    if (const auto* read = std::get_if<ReadLocal>(&expr.node)) return read->local == local;
    const auto& sum = std::get<Binary>(expr.node);
    return reads(body, sum.left, local) || reads(body, sum.right, local);
}

void forget(const Body& body, Plain& facts, LocalId local) {
    const auto isOf = [&](const auto& fact) { return reads(body, fact.first, local); };
    std::erase_if(facts.intervals, isOf);
    std::erase_if(facts.conditions, isOf);
    std::erase_if(facts.choices, [&](const auto& fact) {
        return isOf(fact) || reads(body, fact.second.condition, local)
               || reads(body, fact.second.value, local);
    });
}

class Walk {
public:
    explicit Walk(unsigned seed) : random_(seed), body_(bodyOf(random_)), facts_(body_) {}

    /// Some steps on one level, with branches inside.
    void block(int depth) {
        const auto steps = random_() % 8;
        for (unsigned i = 0; i < steps; ++i) {
            if (depth > 0 && random_() % 3 == 0)
                branch(depth - 1);
            else
                step();
            compare();
        }
    }

private:
    void step() {
        const ExprId id = some();
        switch (random_() % 8) {
        case 0:
        case 1: {
            const Interval value{0, static_cast<int>(random_() % 9)};
            facts_.setInterval(id, value);
            plain_.intervals[id] = value;
            return;
        }
        case 2:
        case 3: {
            const bool value = random_() % 2 == 0;
            facts_.setCondition(id, value);
            plain_.conditions[id] = value;
            return;
        }
        case 4: {
            const KnownFacts::Choice choice{some(), random_() % 2 == 0, some(), random_() % 2 == 0};
            facts_.setChoice(id, choice);
            plain_.choices.insert_or_assign(id, choice);
            return;
        }
        case 5: {
            const std::uint32_t odd = random_() % 2;
            facts_.forgetIf([&](LocalId local) { return local.index % 2 == odd; });
            for (std::uint32_t i = odd; i < kLocals; i += 2)
                forget(body_, plain_, {i});
            return;
        }
        case 6:
            if (random_() % 4 != 0) return;
            facts_.clear();
            plain_ = {};
            return;
        default: {
            const LocalId local{static_cast<std::uint32_t>(random_() % kLocals)};
            facts_.forget(local);
            forget(body_, plain_, local);
        }
        }
    }

    /// Both sides, and then what one of them left, or what was before.
    void branch(int depth) {
        const Plain before = plain_;
        const KnownFacts::Mark mark = facts_.mark();
        block(depth);
        Plain yes = plain_;
        KnownFacts::Changes changes = facts_.undo(mark);
        plain_ = before;
        compare();
        block(depth);
        switch (random_() % 3) {
        case 0: return;
        case 1:
            facts_.undo(mark);
            facts_.redo(std::move(changes));
            plain_ = std::move(yes);
            return;
        default: facts_.undo(mark); plain_ = before;
        }
    }

    void compare() const {
        REQUIRE(facts_.size() == plain_.intervals.size() + plain_.conditions.size());
        REQUIRE(facts_.empty() == (facts_.size() + plain_.choices.size() == 0));
        for (std::uint32_t i = 0; i < kExprs; ++i) {
            const ExprId id{i};
            const auto interval = plain_.intervals.find(id);
            const Interval* known = facts_.interval(id);
            REQUIRE((known != nullptr) == (interval != plain_.intervals.end()));
            if (known) REQUIRE(*known == interval->second);
            const auto condition = plain_.conditions.find(id);
            REQUIRE(facts_.condition(id)
                    == (condition == plain_.conditions.end() ? std::nullopt
                                                             : std::optional(condition->second)));
            const auto choice = plain_.choices.find(id);
            const auto chosen = facts_.choice(id);
            REQUIRE(chosen.has_value() == (choice != plain_.choices.end()));
            if (chosen) REQUIRE(chosen->value == choice->second.value);
        }
    }

    ExprId some() { return {static_cast<std::uint32_t>(random_() % kExprs)}; }

    std::mt19937 random_;
    Body body_;
    KnownFacts facts_;
    Plain plain_;
};

}  // namespace

TEST_CASE("facts that are undone and redone are those of copies", "[passes]") {
    for (unsigned seed = 0; seed < 120; ++seed)
        Walk(seed).block(5);
}
