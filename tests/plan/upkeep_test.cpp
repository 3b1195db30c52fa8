// When fields are stored of which cycles may go unobserved, and what the verifier says of a plan in which that
// is not so.

#include <catch2/catch.hpp>

#include "plan/plan_designs.h"
#include "plan/target.h"
#include "plan/upkeep.h"

using namespace smec;
using plan::Always;
using plan::Mirror;
using plan::Recomputed;
using plan::Upkeep;

namespace {

const ir::StorageType kMirrored = test::unsignedType(8);
const plan::Options kWholePlan{.wholeStatements = 16'000};

/// A clocked process with a variable n whose field ends as n, and a combinational one that reads it.
struct MirroredField {
    explicit MirroredField(bool changesLater = false) {
        design.name = "register";
        test::ClassBuilder p(design, "count", 1);
        const ir::LocalId n = p.state("n", kMirrored);
        const ir::LocalId v = p.output("v", kMirrored, {test::integer(0)});
        variable = design.classes[0].state[0];
        field = design.classes[0].outputs[0].plane;
        const ir::ExprId sum = p.wrap(p.op(test::Add, p.read(n), p.number(1)), 8);
        p.add(p.set(n, sum));
        p.add(p.set(v, p.read(n)));
        if (changesLater) p.add(p.set(n, p.number(3)));
        p.finish();
        test::ClassBuilder q(design, "twice", 1);
        const ir::LocalId y = q.output("y", kMirrored, {test::integer(0)}, false, true);
        q.add(q.set(y, q.read(q.input("x.v", kMirrored, {{0, 1, field, 0, 1}}))));
        q.finish();
        twice = design.classes[1].outputs[0].plane;
    }

    std::vector<Upkeep> upkeepOf(ir::PlaneId plane, const plan::Options& options = kWholePlan) {
        return plan::build(design, options).storage[plane.index].upkeep;
    }

    ir::Design design;
    ir::PlaneId variable, field, twice;
};

/// Why the plan is wrong once a field's upkeep is another one.
std::string upkeepProblem(const ir::Design& design, std::uint32_t plane, Upkeep upkeep) {
    plan::Plan plan = plan::build(design, kWholePlan);
    REQUIRE(plan::verifyUpkeep(design, plan::factsOf(design), plan).empty());
    plan.storage[plane].upkeep = {upkeep};
    const std::vector<std::string> problems =
        plan::verifyUpkeep(design, plan::factsOf(design), plan);
    return problems.empty() ? "" : problems.front();
}

/// A decoder of a word that a later step sets, behind a decoder of that; `places`: where it sets the word.
ir::Design decoders(std::size_t places) {
    ir::Design design;
    design.name = "decoded";
    test::ClassBuilder p(design, "fetch", 1);
    const ir::LocalId phase = p.state("phase", kMirrored);
    const ir::LocalId word = p.state("word", kMirrored);
    const ir::LocalId sum = p.state("sum", kMirrored);
    const ir::LocalId out = p.output("word", kMirrored, {test::integer(0)});
    const std::uint32_t decoded = p.input("decoded.v", kMirrored);
    p.add(p.set(sum, p.read(decoded)));
    for (std::size_t i = 0; i < places; ++i) {
        const ir::ExprId isNow = p.op(ir::BinaryOp::Eq, p.read(phase), p.number(i));
        p.add({{}, ir::If{isNow, {p.set(word, p.number(2 * i + 1))}, {}}});
    }
    p.add(p.set(phase, p.wrap(p.op(test::Add, p.read(phase), p.number(1)), 8)));
    p.add(p.set(out, p.read(word)));
    ir::PlaneId from = p.plane();
    p.finish();
    for (const char* name : {"first", "second"}) {
        test::ClassBuilder q(design, name, 1);
        const ir::LocalId y = q.output(name, kMirrored, {test::integer(0)}, false, true);
        const ir::ExprId x = q.read(q.input("x.v", kMirrored, {{0, 1, from, 0, 1}}));
        ir::ExprId chain = x;  // dear enough beside the branches
        for (int i = 0; i < 4; ++i)
            chain = q.op(test::Add, chain, x);
        q.add(q.set(y, q.wrap(chain, 8)));
        from = q.plane();
        q.finish();
    }
    design.classes[0].inputs[decoded].elements[0].runs = {{0, 1, from, 0, 1}};
    return design;
}

/// Why a plan of decoders is wrong once it was changed.
template <typename Change>
std::string restingProblem(const ir::Design& design, const Change& change) {
    plan::Plan plan = plan::build(design, kWholePlan);
    REQUIRE(plan.kernels.at(0).resting.size() == 2);
    change(plan);
    const std::vector<std::string> problems =
        plan::verifyUpkeep(design, plan::factsOf(design), plan);
    return problems.empty() ? "" : problems.front();
}

}  // namespace

TEST_CASE("what lookers alone read is not stored in cycles that nobody observes",
          "[plan][upkeep]") {
    const ir::Design design =
        test::chain(2, 1);  // two combinational, one clocked, each read by the next
    const plan::Plan plan = plan::build(design, kWholePlan);
    REQUIRE(plan.kernels.size() == 1);
    CHECK(plan.kernels[0].isUnobserved);
    CHECK(plan.storage[0].upkeep == std::vector<Upkeep>{Recomputed{true, true}});  // a constant
    CHECK(plan.storage[1].upkeep == std::vector<Upkeep>{Recomputed{true, true}});
    CHECK(plan.storage[2].upkeep == std::vector<Upkeep>{Recomputed{false, false}});
    // several kernels: each stores all
    for (const plan::Decision& decision : plan::build(design, {.loopThreshold = 1}).storage)
        CHECK(decision.upkeep.empty());
}

TEST_CASE("a field that is equal to a variable mirrors it", "[plan][upkeep]") {
    MirroredField equal, unequal(true);
    CHECK(equal.upkeepOf(equal.field) == std::vector<Upkeep>{Mirror{equal.variable}});
    CHECK(equal.upkeepOf(equal.twice) == std::vector<Upkeep>{Recomputed{}});
    CHECK(unequal.upkeepOf(unequal.field).empty());
}

TEST_CASE("upkeep follows the rules that are left out", "[plan][upkeep]") {
    MirroredField design;
    for (const auto& [rule, mirrors, recomputes] :
         {std::tuple{rules::Rule::Mirrors, false, true},
          std::tuple{rules::Rule::UnobservedCycles, false, false}}) {
        rules::Without without;
        without.add(rule);
        rules::Ledger ledger(without);
        plan::Options options = kWholePlan;
        options.ledger = ledger;
        CHECK(!design.upkeepOf(design.field, options).empty() == mirrors);
        CHECK(!design.upkeepOf(design.twice, options).empty() == recomputes);
    }
}

TEST_CASE("upkeep that is wrong is found", "[plan][upkeep]") {
    const MirroredField equal, unequal(true);
    CHECK(upkeepProblem(equal.design, equal.field.index, Always{}).empty());
    CHECK(upkeepProblem(equal.design, equal.field.index, Recomputed{true, false})
          == "'v': is not stored, and read before it is made anew");
    CHECK(upkeepProblem(equal.design, equal.field.index, Mirror{equal.twice})
          == "'v': is not equal to the variable that it mirrors");
    CHECK(upkeepProblem(unequal.design, unequal.field.index, Mirror{unequal.variable})
          == "'v': is not equal to the variable that it mirrors");
    CHECK(upkeepProblem(equal.design, equal.variable.index, Recomputed{})
          == "'n': is stored now and then, and is no scalar field");
    const ir::Design chain = test::chain(2, 1);
    CHECK(upkeepProblem(chain, 0, Recomputed{false, false})
          == "'v': is not stored, and read before it is made anew");
    plan::Plan plan = plan::build(chain, kWholePlan);
    plan.kernels[0].isUnobserved = false;
    CHECK(plan::verifyUpkeep(chain, plan::factsOf(chain), plan).front()
          == "'v': is not stored, and nobody drives it");
}

TEST_CASE("so many places wake a step, and those behind it, or it does not rest",
          "[plan][upkeep]") {
    for (const std::size_t places : {std::size_t{1}, plan::target::kRestingWakers + 0}) {
        const plan::Plan plan = plan::build(decoders(places), kWholePlan);
        REQUIRE(plan.kernels.at(0).resting.size() == 2);
        for (const plan::Resting& resting : plan.kernels[0].resting)
            CHECK(resting.wakers.size() == places);
    }
    CHECK(plan::build(decoders(plan::target::kRestingWakers + 1), kWholePlan)
              .kernels.at(0)
              .resting.empty());
}

TEST_CASE("a step that rests where something wakes it too seldom is found", "[plan][upkeep]") {
    const ir::Design design = decoders(3);
    const char* const wrong =
        "'word': reaches a step that rests, and changes where nothing wakes it";
    for (const std::size_t step : {0U, 1U})
        for (const std::size_t waker : {0U, 1U, 2U})
            CHECK(restingProblem(design,
                                 [&](plan::Plan& plan) {
                                     auto& wakers = plan.kernels[0].resting[step].wakers;
                                     wakers.erase(wakers.begin() + std::ptrdiff_t(waker));
                                 })
                  == wrong);
    CHECK(restingProblem(design, [&](plan::Plan& plan) {
              plan.kernels[0].resting.erase(plan.kernels[0].resting.begin());
          }).empty());
    CHECK(restingProblem(design, [&](plan::Plan& plan) {
              for (plan::Resting& resting : plan.kernels[0].resting)
                  resting.wakers.push_back({2, design.classes[0].body.statements[0].id});
          }).empty());
    CHECK(restingProblem(design,
                         [](plan::Plan& plan) {
                             plan.storage[4].upkeep = {Recomputed{true, false}};
                         })
          == "'first': is of a step that rests, and no variable");
}
