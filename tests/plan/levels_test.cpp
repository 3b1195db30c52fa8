#include <catch2/catch.hpp>

#include "plan/plan_designs.h"

using namespace smec;

namespace {

using plan::KernelKind;

}  // namespace

TEST_CASE("a straight-line chain stands in its reader's block", "[plan]") {
    const plan::Plan plan = plan::build(test::chain(50, 1), {});
    CHECK(plan.levels == 1);
    REQUIRE(test::countOf(plan, KernelKind::Block) == 1);
    CHECK(plan.kernels[0].steps.size() == 51);
    for (std::size_t i = 1; i < plan.kernels[0].steps.size(); ++i) {
        CHECK(plan.kernels[0].steps[i - 1].cls.index < plan.kernels[0].steps[i].cls.index);
    }
}

TEST_CASE("a chain that is larger than a block keeps a level", "[plan]") {
    const plan::Plan plan = plan::build(test::chain(150, 1), {.blockStatements = 60});
    CHECK(plan.levels >= 2);
    std::size_t steps = 0;
    for (const plan::Kernel& kernel : plan.kernels) {
        CHECK(kernel.statements <= 120);
        steps += kernel.steps.size();
    }
    CHECK(steps == 151);
}

TEST_CASE("a chain somewhat larger than a block is one rather than a level", "[plan]") {
    const plan::Plan plan = plan::build(test::chain(50, 1), {.blockStatements = 60});
    CHECK(plan.levels == 1);
    CHECK(plan.kernels.size() == 1);
}

TEST_CASE("a loop whose readers are straight-line code has a level of its own", "[plan]") {
    // a clocked process reads one of n instances of a combinational class
    const auto design = [](std::uint32_t instances) {
        ir::Design made = test::chain(1, instances);
        ir::Class& reader = made.classes[1];
        reader.instances = 1;
        const ir::PlaneId plane = made.classes[0].outputs[0].plane;
        reader.inputs[0].elements[0].runs = {{0, 1, plane, instances - 1, 1}};
        return made;
    };
    CHECK(plan::build(design(3), {}).levels == 1);  // no loop
    CHECK(plan::build(design(8), {}).levels == 2);
    CHECK(test::countOf(plan::build(test::chain(1, 8), {}), KernelKind::Merged) == 1);
}

TEST_CASE("loops are merged into what reads them instance by instance", "[plan]") {
    const plan::Plan plan = plan::build(test::chain(3, 100), {});
    CHECK(plan.levels == 1);
    REQUIRE(plan.kernels.size() == 5);
    for (std::uint32_t i = 0; i < 4; ++i) {
        CHECK(plan.kernels[i].cls.index == i);
        CHECK_FALSE(plan.kernels[i].scheduled);
    }
    const plan::Kernel& merged = plan.kernels[4];
    REQUIRE(merged.kind == KernelKind::Merged);
    REQUIRE(merged.parts.size() == 4);
    for (std::uint32_t i = 0; i < 4; ++i)
        CHECK(merged.parts[i].index == i);
    CHECK(merged.processes == 400);
    for (std::uint32_t i = 0; i < 4; ++i)
        CHECK(merged.granularity % plan.kernels[i].granularity == 0);
}

TEST_CASE("a loop whose readers lie elsewhere has a level", "[plan]") {
    const plan::Plan plan = plan::build(test::chainToNeighbour(100'000), {});
    CHECK(plan.levels == 4);
    REQUIRE(plan.kernels.size() == 4);
    for (std::uint32_t i = 0; i < 4; ++i) {
        CHECK(plan.kernels[i].level == i);
        CHECK(plan.kernels[i].cls.index == i);
    }
}

TEST_CASE("levels with little work become one", "[plan]") {
    const plan::Plan plan = plan::build(test::chainToNeighbour(100), {});
    CHECK(plan.levels == 2);
    REQUIRE(plan.kernels.size() == 5);
    CHECK(plan.kernels[3].kind == KernelKind::Ordered);
    CHECK(plan.kernels[3].rows
          == std::vector<plan::OrderedRow>{{{0}, 0, 100}, {{1}, 0, 100}, {{2}, 0, 100}});
    CHECK(plan.kernels[3].level == 0);
    CHECK(plan.kernels[4].kind == KernelKind::Loop);
    CHECK(plan.kernels[4].level == 1);
}

TEST_CASE("a level with much work, or one alone, stays", "[plan]") {
    ir::Design design = test::chainToNeighbour(100);
    test::ClassBuilder p(design, "busy", 100'000);
    const ir::LocalId out = p.output("v", test::unsignedType(8), {test::integer(0)}, false, true);
    p.add(p.set(out, p.read(p.input("x.v", test::unsignedType(8),
                                    {{0, 100'000, design.classes[0].outputs[0].plane, 0, 0}}))));
    p.finish();
    test::ClassBuilder reader(design, "reader", 100);
    const ir::LocalId sum = reader.output("v", test::unsignedType(8), {test::integer(0)});
    reader.add(reader.set(
        sum, reader.read(reader.input("x.v", test::unsignedType(8), {{0, 100, p.plane(), 1, 1}}))));
    reader.finish();
    const plan::Plan plan = plan::build(design, {});
    CHECK(plan.levels == 4);  // c0; c1 beside busy; c2; the clocked ones
    CHECK(test::countOf(plan, KernelKind::Ordered) == 0);
}

TEST_CASE("what nobody reads runs beside the clocked processes", "[plan]") {
    const std::uint32_t instances = GENERATE(1U, 100U);
    ir::Design design = test::chain(2, instances);
    design.classes.pop_back();
    design.processCount -= instances;
    const plan::Plan plan = plan::build(design, {});
    CHECK(plan.levels == 1);
}

TEST_CASE("a looped class that reads itself runs row by row", "[plan]") {
    ir::Design design;
    design.name = "self";
    test::ClassBuilder p(design, "link", 10);
    const ir::LocalId out = p.output("v", test::unsignedType(8), {test::integer(0)}, false, true);
    ir::Plane undriven;
    undriven.name = "u";
    undriven.kind = ir::PlaneKind::Undriven;
    undriven.type = test::unsignedType(8);
    undriven.initial.values = {test::integer(1)};
    // Two chains of five, side by side: 0 → 2 → 4 …, 1 → 3 → 5 ….
    p.add(p.set(out, p.read(p.input("x.v", test::unsignedType(8),
                                    {{0, 2, {1}, 0, 0}, {2, 8, p.plane(), 0, 1}}))));
    p.finish();
    design.planes.push_back(undriven);
    const plan::Plan plan = plan::build(design, {});
    REQUIRE(plan.kernels.size() == 2);
    CHECK_FALSE(plan.kernels[0].scheduled);
    REQUIRE(plan.kernels[1].kind == KernelKind::Ordered);
    CHECK(plan.kernels[1].rows.size() == 5);
    CHECK(plan.kernels[1].rows[1] == plan::OrderedRow{{0}, 2, 4});
    CHECK(plan.kernels[1].processes == 10);
}
