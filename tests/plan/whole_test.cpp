// When a design is one block, and in which order.

#include <catch2/catch.hpp>

#include <set>
#include <string>

#include "plan/plan_designs.h"
#include "plan/steps.h"
#include "plan/target.h"

using namespace smec;

namespace {

const plan::Options kWhole{.wholeStatements = 16'000};

bool isWhole(const plan::Plan& plan) {
    return plan.kernels.size() == 1 && plan.kernels[0].isWhole && plan.levels == 1;
}

}  // namespace

TEST_CASE("a light design with combinational processes is one block", "[plan][whole]") {
    CHECK(isWhole(plan::build(test::chainToNeighbour(8), kWhole)));
    CHECK_FALSE(isWhole(plan::build(test::chainToNeighbour(8), {})));
    // many instances are a loop's, long bodies are not compiled for each, many statements are
    // several blocks'
    CHECK(isWhole(plan::build(test::chainToNeighbour(15), kWhole)));
    CHECK(isWhole(plan::build(test::chainToNeighbour(16), kWhole)));  // a few statements in all
    CHECK_FALSE(isWhole(plan::build(test::chainToNeighbour(100), kWhole)));
    // 8 processes of one class, of so many statements in all
    const auto longBodies = [](std::uint32_t statements) {
        ir::Design design = test::chainToNeighbour(8);
        ir::Block& body = design.classes[0].body.statements;
        while (plan::factsOf(design).classes[0].size * 8 < statements)
            body.push_back(ir::Stmt(body[0]));
        return design;
    };
    CHECK(isWhole(plan::build(longBodies(plan::target::kBlockStatements), kWhole)));
    CHECK_FALSE(isWhole(plan::build(longBodies(plan::target::kBlockStatements + 1), kWhole)));
    CHECK_FALSE(isWhole(plan::build(test::chainToNeighbour(8), {.wholeStatements = 20})));
}

TEST_CASE("a design of clocked processes is one block where threads would not share it",
          "[plan][whole]") {
    const auto clocked = [](std::uint32_t statements) {
        ir::Design design = test::interleaved(8, 2);
        test::ClassBuilder more(design, "more", 4);
        const ir::LocalId out = more.output("v", test::unsignedType(8), {test::integer(0)});
        for (std::uint32_t i = 0; i < statements; ++i)
            more.add(more.set(out, more.number(1)));
        more.finish();
        return design;
    };
    CHECK(isWhole(plan::build(test::interleaved(8, 2), kWhole)));
    CHECK(isWhole(plan::build(clocked(250), kWhole)));
    CHECK_FALSE(isWhole(plan::build(clocked(350), kWhole)));
}

TEST_CASE("levels that wait for one another are light together", "[plan][whole]") {
    // dearer than a light level; one level where all of it stands in the block of its reader
    const ir::Design design = test::chain(11'000, 1);
    plan::Options options{.blockStatements = 20'000, .wholeStatements = 200'000};
    CHECK_FALSE(isWhole(plan::build(design, options)));
    options.blockStatements = 2'000;
    CHECK(isWhole(plan::build(design, options)));
    CHECK_FALSE(isWhole(plan::build(test::chain(45'000, 1), options)));
}

TEST_CASE("many instances may be a small part of a block", "[plan][whole]") {
    const auto withMany = [](std::uint32_t rest) {
        ir::Design design = test::chain(rest, 1);
        test::ClassBuilder many(design, "many", 20);
        const ir::LocalId out = many.output("v", test::unsignedType(8), {test::integer(0)});
        for (int i = 0; i < 4; ++i)
            many.add(many.set(out, many.number(1)));
        many.finish();
        return design;
    };
    CHECK(isWhole(plan::build(withMany(700), kWhole)));
    CHECK_FALSE(isWhole(plan::build(withMany(300), kWhole)));
}

TEST_CASE("a long block is several functions", "[plan][whole]") {
    const auto cutsOf = [](std::uint32_t blockStatements) {
        const plan::Plan plan =
            plan::build(test::chain(39, 1), {.blockStatements = blockStatements,
                                             .longestFunction = 8 * std::uint64_t{blockStatements},
                                             .wholeStatements = 16'000});
        REQUIRE(isWhole(plan));
        return plan.kernels[0].cuts;
    };
    CHECK(cutsOf(10).empty());
    CHECK(cutsOf(8) == std::vector<std::uint32_t>{4, 8, 12, 16, 20, 24, 28, 32, 36});
}

TEST_CASE("functions of a block fill units", "[plan][whole]") {
    const auto unitsOf = [](std::uint32_t unitStatements) {
        const plan::Plan plan = plan::build(test::chain(39, 1), {.unitStatements = unitStatements,
                                                                 .blockStatements = 8,
                                                                 .longestFunction = 8,
                                                                 .wholeStatements = 16'000});
        REQUIRE(isWhole(plan));
        std::vector<std::size_t> functions;
        std::uint32_t next = 0, steps = 0;
        for (const plan::TranslationUnit& unit : plan.units) {
            CHECK(unit.kernels.size() == (functions.empty() ? 1 : 0));
            functions.push_back(unit.functions.size());
            for (const plan::CutFunction& part : unit.functions)
                CHECK(part == plan::CutFunction{0, next++});
            plan::forEachStepIn(plan, unit, [&](const plan::InstanceRef& step) {
                CHECK(step == plan.kernels[0].steps.at(steps++));
            });
        }
        CHECK(next == plan.kernels[0].cuts.size() + 1);
        CHECK(steps == 40);
        return functions;
    };
    // ten functions of four steps, each of which is two statements
    CHECK(unitsOf(2'000) == std::vector<std::size_t>{10});
    CHECK(unitsOf(40) == std::vector<std::size_t>{5, 5});
    CHECK(unitsOf(39) == std::vector<std::size_t>{4, 4, 2});
    CHECK(unitsOf(1) == std::vector<std::size_t>(10, 1));
    std::set<std::string> names;
    const plan::Plan plan = plan::build(
        test::chain(39, 1), {.unitStatements = 1, .longestFunction = 8, .wholeStatements = 80});
    for (const plan::TranslationUnit& unit : plan.units)
        names.insert(unit.name);
    CHECK(names.size() == plan.units.size());
}

TEST_CASE("a design is no block whose cost nobody knows", "[plan][whole]") {
    ir::Design design = test::chainToNeighbour(8);
    ir::Loop loop;
    loop.isStateMachine = GENERATE(true, false);
    design.classes[0].body.statements.push_back({{}, loop});
    CHECK(isWhole(plan::build(design, kWhole)));
    // where threads might share it they may have to
    ir::Block& statements = design.classes[1].body.statements;
    statements.insert(statements.end(), 100, ir::Stmt(statements[0]));
    CHECK(isWhole(plan::build(design, kWhole)) == loop.isStateMachine);
    design.classes[0].body.statements.pop_back();
    ir::Function& function = design.functions.emplace_back();
    CHECK(isWhole(plan::build(design, kWhole)));
    function.callsForeign = true;
    CHECK_FALSE(isWhole(plan::build(design, kWhole)));
}

TEST_CASE("each process stands behind what it reads in its cycle", "[plan][whole]") {
    const plan::Plan plan = plan::build(test::chainToNeighbour(3), kWhole);
    REQUIRE(plan.kernels.size() == 1);
    const plan::Kernel& block = plan.kernels[0];
    CHECK(block.processes == 12);
    // c3[i], which is clocked, reads c2[i + 1]
    const auto step = [](std::uint32_t cls, std::uint32_t instance) {
        return plan::InstanceRef{{cls}, instance};
    };
    CHECK(block.steps
          == std::vector{step(0, 1), step(1, 1), step(2, 1), step(3, 0), step(0, 2), step(1, 2),
                         step(2, 2), step(3, 1), step(0, 0), step(1, 0), step(2, 0), step(3, 2)});
}

TEST_CASE("what nobody reads comes last", "[plan][whole]") {
    ir::Design design = test::chain(2, 1);
    design.classes[2].inputs[0].elements[0].runs[0].plane = design.classes[0].outputs[0].plane;
    const plan::Plan plan = plan::build(design, kWhole);
    REQUIRE(plan.kernels.size() == 1);
    CHECK(plan.kernels[0].steps
          == std::vector{plan::InstanceRef{{0}, 0}, plan::InstanceRef{{2}, 0},
                         plan::InstanceRef{{1}, 0}});
}
