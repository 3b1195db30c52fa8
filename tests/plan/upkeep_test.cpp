// When fields are stored of which cycles may go unobserved, and what the verifier says of a plan in which that
// is not so.

#include <catch2/catch.hpp>

#include "plan/plan_designs.h"
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
    REQUIRE(plan::verifyUpkeep(design, plan).empty());
    plan.storage[plane].upkeep = {upkeep};
    const std::vector<std::string> problems = plan::verifyUpkeep(design, plan);
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
    CHECK(plan::verifyUpkeep(chain, plan).front() == "'v': is not stored, and nobody drives it");
}
