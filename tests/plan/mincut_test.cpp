#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "plan/plan_designs.h"

using namespace smec;

namespace {

using plan::KernelKind;

/// The classes of a plan's blocks, in order.
std::vector<std::uint32_t> orderOf(const plan::Plan& plan) {
    std::vector<std::uint32_t> order;
    for (const plan::Kernel& kernel : plan.kernels)
        for (const plan::InstanceRef& step : kernel.steps)
            order.push_back(step.cls.index);
    return order;
}

/// How many connections lead from one half of the list of blocks to the other.
std::size_t crossing(const ir::Design& design, const plan::Plan& plan) {
    double total = 0, before = 0;
    for (const plan::Kernel& kernel : plan.kernels)
        total += kernel.cost;
    std::map<std::uint32_t, bool> isSecond;
    for (const plan::Kernel& kernel : plan.kernels) {
        for (const plan::InstanceRef& step : kernel.steps)
            isSecond[step.cls.index] = before + kernel.cost / 2 > total / 2;
        before += kernel.cost;
    }
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < design.classes.size(); ++i) {
        for (const ir::Input& input : design.classes[i].inputs) {
            const ir::PlaneId plane = input.elements[0].runs[0].plane;
            count += isSecond[i] != isSecond[design.planes[plane.index].owner.index];
        }
    }
    return count;
}

/// Names and kernels, without what they cost.
std::string shapeOf(const plan::Plan& plan) {
    std::string text;
    for (const plan::TranslationUnit& unit : plan.units) {
        text += unit.name + ":";
        for (const std::uint32_t kernel : unit.kernels) {
            text += " |";
            for (const plan::InstanceRef& step : plan.kernels[kernel].steps)
                text += " " + std::to_string(step.cls.index);
        }
        text += "\n";
    }
    return text;
}

void checkBounds(const plan::Plan& plan, const plan::Options& options) {
    for (const plan::Kernel& kernel : plan.kernels) {
        CHECK((kernel.processes == 1 || kernel.statements <= options.blockStatements));
        CHECK((kernel.processes == 1 || kernel.cost <= options.blockCost));
    }
    std::set<std::string> names;
    for (const plan::TranslationUnit& unit : plan.units) {
        std::uint32_t statements = 0;
        for (const std::uint32_t kernel : unit.kernels)
            statements += plan.kernels[kernel].statements;
        CHECK((unit.kernels.size() == 1 || statements <= options.unitStatements));
        CHECK(names.insert(unit.name).second);
    }
}

}  // namespace

TEST_CASE("networks that are interleaved in the source are taken apart", "[plan]") {
    std::mt19937 random(1);
    const ir::Design design = test::wired(800, [&](std::uint32_t i) {
        const auto other = [&] { return static_cast<std::uint32_t>(random() % 400) * 2 + i % 2; };
        return std::vector{other(), other()};
    });
    const plan::Options options{.unitStatements = 200, .blockStatements = 200};
    const plan::Plan plan = plan::build(design, options);
    checkBounds(plan, options);
    CHECK(crossing(design, plan) == 0);
    CHECK(std::count(plan.cutDepths.begin(), plan.cutDepths.end(), 0) == 0);
    CHECK(std::count(plan.cutDepths.begin(), plan.cutDepths.end(), 1) > 0);
    const std::vector<std::uint32_t> order = orderOf(plan);
    CHECK(std::set<std::uint32_t>(order.begin(), order.end()).size() == 800);
    CHECK(order.size() == 800);
}

TEST_CASE("chains whose processes stand far apart are put together", "[plan]") {
    const ir::Design design = test::interleaved(800, 50);
    const plan::Options options{.unitStatements = 200, .blockStatements = 200};
    const plan::Plan plan = plan::build(design, options);
    checkBounds(plan, options);
    CHECK(plan.kernels.size() % 8 == 0);
    CHECK(crossing(design, plan) <= 8);
}

TEST_CASE("what reads its neighbours keeps source order", "[plan]") {
    const ir::Design design = test::interleaved(800, 1);
    const plan::Plan plan = plan::build(design, {.unitStatements = 200, .blockStatements = 200});
    CHECK(plan.kernels.size() > 4);
    CHECK(plan.cutDepths.empty());
    for (const plan::Kernel& kernel : plan.kernels)
        CHECK(kernel.unitStart == plan::UnitStart::ByName);
    const std::vector<std::uint32_t> order = orderOf(plan);
    CHECK(std::is_sorted(order.begin(), order.end()));
}

TEST_CASE("designs of one block, and of dear processes, keep source order", "[plan]") {
    CHECK(plan::build(test::interleaved(200, 2), {}).cutDepths.empty());
    const plan::Plan plan = plan::build(test::interleaved(800, 2), {.blockCost = 20});
    CHECK(plan.kernels.size() > 100);
    CHECK(plan.cutDepths.empty());
}

TEST_CASE("steps that read nothing keep source order", "[plan]") {
    const ir::Design design =
        test::wired(800, [](std::uint32_t) { return std::vector<std::uint32_t>{}; });
    CHECK(plan::build(design, {.blockStatements = 200}).cutDepths.empty());
}

TEST_CASE("blocks by minimum cut are of equal cost and bounded", "[plan]") {
    const std::uint32_t bound = GENERATE(10U, 100U, 400U, 2000U);
    const ir::Design design = test::hetero(1000);
    const plan::Options options{.unitStatements = 2000, .blockStatements = bound};
    const plan::Plan plan = plan::build(design, options);
    REQUIRE_FALSE(plan.cutDepths.empty());
    checkBounds(plan, options);
    CHECK(orderOf(plan).size() == 1000);
    if (bound < 400) return;
    CHECK(plan.kernels.size() % 4 == 0);
    const auto costs = std::minmax_element(
        plan.kernels.begin(), plan.kernels.end(),
        [](const plan::Kernel& a, const plan::Kernel& b) { return a.cost < b.cost; });
    CHECK(costs.second->cost < (bound < 1000 ? 1.5 : 1.1) * costs.first->cost);
    CHECK(crossing(design, plan) < 500);
}

TEST_CASE("a unit holds several small leaves", "[plan]") {
    const plan::Options options{.unitStatements = 2000, .blockStatements = 300};
    const plan::Plan plan = plan::build(test::hetero(1000), options);
    checkBounds(plan, options);
    for (const plan::TranslationUnit& unit : plan.units)
        CHECK(unit.kernels.size() == plan.units.front().kernels.size());
    CHECK(plan.units.front().kernels.size() > 1);
}

TEST_CASE("an edited body moves no process", "[plan]") {
    const std::string before = shapeOf(plan::build(test::hetero(1000), {}));
    CHECK(before == shapeOf(plan::build(test::hetero(1000), {})));
    for (const std::uint32_t process : {0U, 300U, 999U}) {
        CHECK(before == shapeOf(plan::build(test::hetero(1000, 1, {process}), {})));
        CHECK(before == shapeOf(plan::build(test::hetero(1000, 1, {process, true}), {})));
    }
}

TEST_CASE("fields that are read across the cut lie together", "[plan]") {
    const ir::Design design = test::hetero(1000);
    const plan::Plan plan = plan::build(design, {});
    std::set<std::uint64_t> lines;
    std::size_t fields = 0;
    for (std::size_t i = 0; i < plan.cutDepths.size(); ++i) {
        if (plan.cutDepths[i] != 0) continue;
        lines.insert(plan.placements[i].offset / 64);
        ++fields;
    }
    CHECK(fields > 100);
    CHECK(lines.size() <= fields / 16 + plan.units.size());
}

TEST_CASE("dear processes among cheap ones leave no part of the bisection empty", "[plan]") {
    ir::Design design = test::hetero(1000);
    for (std::uint32_t i = 0; i < 1000; i += 20) {
        ir::Block& statements = design.classes[i].body.statements;
        const ir::Block once = statements;
        for (int k = 0; k < 100; ++k)
            statements.insert(statements.end(), once.begin(), once.end());
    }
    const plan::Options options{.blockStatements = 20'000, .blockCost = GENERATE(6000., 8000.)};
    const plan::Plan plan = plan::build(design, options);
    CHECK_FALSE(plan.cutDepths.empty());
    checkBounds(plan, options);
    CHECK(orderOf(plan).size() == 1000);
}

TEST_CASE("loops stand in front of steps by minimum cut", "[plan]") {
    ir::Design design = test::hetero(1000);
    test::ClassBuilder p(design, "loop", 50);
    const ir::LocalId out = p.output("v", test::unsignedType(32), {test::integer(0)});
    p.add(p.set(out, p.number(1)));
    p.finish();
    const plan::Plan plan = plan::build(design, {});
    CHECK(plan.kernels.front().kind == KernelKind::Loop);
    CHECK(test::countOf(plan, KernelKind::Loop) == 1);
    CHECK(plan.units.front().kernels.size() == 1);
    CHECK(orderOf(plan).size() == 1000);
}
