#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "plan/plan_designs.h"

using namespace smec;

namespace {

using plan::KernelKind;

}  // namespace

TEST_CASE("a looped class is one kernel of one unit", "[plan]") {
    const plan::Plan plan = plan::build(test::ring(1000), {});
    REQUIRE(plan.kernels.size() == 1);
    CHECK(plan.kernels[0].kind == KernelKind::Loop);
    CHECK(plan.kernels[0].granularity == 16);
    CHECK(plan.kernels[0].processes == 1000);
    CHECK(plan.units.size() == 1);
    CHECK(plan.units[0].name == "unit_add_1");
    CHECK(plan.levels == 1);
    CHECK(plan.clockedBytes == 4032);
}

TEST_CASE("a body that is longer than a block with its instances is a loop", "[plan]") {
    const auto kernels = [](std::uint32_t instances, std::uint32_t statements) {
        ir::Design design;
        test::ClassBuilder p(design, "long", instances);
        const ir::LocalId out = p.output("v", test::unsignedType(16));
        const auto x = p.input("x", test::unsignedType(16), {{0, instances, p.plane(), 0, 1}});
        for (std::uint32_t i = 0; i < statements; ++i)
            p.add(p.set(out, p.read(x)));
        p.finish();
        return plan::build(design, {}).kernels;
    };
    CHECK(kernels(2, 900).at(0).kind == KernelKind::Block);
    CHECK(kernels(3, 900).at(0).kind == KernelKind::Loop);
    const auto two = kernels(2, 1100);
    REQUIRE(two.size() == 1);
    CHECK(two[0].kind == KernelKind::Loop);
    CHECK(two[0].statements < 2000);
    CHECK(kernels(1, 5000).at(0).kind == KernelKind::Block);
}

TEST_CASE("straight-line blocks and units are bounded", "[plan]") {
    const ir::Design design = test::hetero(500);
    const plan::Plan plan = plan::build(design, {});
    std::size_t steps = 0;
    for (const plan::Kernel& kernel : plan.kernels) {
        CHECK(kernel.kind == KernelKind::Block);
        CHECK(kernel.statements <= plan::Options{}.blockStatements);
        CHECK(kernel.steps.size() == kernel.processes);
        steps += kernel.steps.size();
    }
    CHECK(steps == 500);
    std::set<std::string> names;
    for (const plan::TranslationUnit& unit : plan.units) {
        std::uint32_t statements = 0;
        for (const std::uint32_t kernel : unit.kernels)
            statements += plan.kernels[kernel].statements;
        CHECK(statements <= 2000);
        CHECK(names.insert(unit.name).second);
    }
}

TEST_CASE("no two units write one cache line", "[plan]") {
    const ir::Design design = test::hetero(500);
    const plan::Plan plan = plan::build(design, {.unitStatements = 400, .blockStatements = 100});
    REQUIRE(plan.units.size() > 4);
    std::map<std::uint64_t, std::size_t> clocked, state;
    std::set<std::uint64_t> offsets;
    for (std::size_t u = 0; u < plan.units.size(); ++u) {
        for (const std::uint32_t k : plan.units[u].kernels) {
            for (const plan::InstanceRef& step : plan.kernels[k].steps) {
                const ir::Class& cls = design.classes[step.cls.index];
                const auto place = [&](ir::PlaneId id) { return plan.placements[id.index].offset; };
                CHECK(clocked.emplace(place(cls.outputs[0].plane) / 64, u).first->second == u);
                CHECK(state.emplace(place(cls.state[0]) / 64, u).first->second == u);
                CHECK(offsets.insert(place(cls.outputs[0].plane)).second);
            }
        }
    }
    CHECK(plan::build(design, {}).clockedBytes < 500 * 4 * 1.3);
}

TEST_CASE("blocks that are a lot of work are small", "[plan]") {
    const ir::Design design = test::hetero(100);
    const plan::Plan plan = plan::build(design, {.blockCost = 200});
    REQUIRE(plan.kernels.size() > 5);
    for (const plan::Kernel& kernel : plan.kernels)
        CHECK((kernel.steps.size() == 1 || kernel.cost <= 200));
}

TEST_CASE("planes start at a multiple of their elements' size", "[plan]") {
    const std::uint32_t instances = GENERATE(1U, 70U);
    ir::Design design;
    design.name = "long";
    test::ClassBuilder p(design, "p", instances);
    std::vector<ir::LocalId> outs;
    for (const std::uint32_t width :
         {8U, 64U, 100U, 192U, 1U, 300U, 129U, 1000U, 65'536U, 65'535U, 16U})
        outs.push_back(
            p.output("v" + std::to_string(width), test::unsignedType(width), {test::integer(0)}));
    for (const ir::LocalId out : outs)
        p.add(p.set(out, p.number(1)));
    p.finish();
    const plan::Plan plan = plan::build(design, {});
    std::uint64_t end = 0;
    for (const plan::Placement& place : plan.placements) {
        CHECK(place.offset % place.bytesPerElement == 0);
        end = std::max(end, place.offset + place.bytesPerInstance * instances);
        for (const plan::Placement& other : plan.placements) {
            const bool isApart =
                place.offset + place.bytesPerInstance * instances <= other.offset
                || other.offset + other.bytesPerInstance * instances <= place.offset;
            CHECK((isApart || &place == &other));
        }
    }
    CHECK(end <= plan.clockedBytes);
}

TEST_CASE("boundaries fall back into step after an insertion", "[plan]") {
    const ir::Design design = test::interleaved(10'000, 1);
    ir::Design shorter = design;
    shorter.classes.erase(shorter.classes.begin() + 300);
    for (ir::Plane& plane : shorter.planes) {
        if (plane.owner.index > 300) --plane.owner.index;
    }
    std::set<std::string> before, after;
    for (const auto& unit : plan::build(design, {}).units)
        before.insert(unit.name);
    for (const auto& unit : plan::build(shorter, {}).units)
        after.insert(unit.name);
    std::size_t common = 0;
    for (const std::string& name : after)
        common += before.count(name);
    CHECK(common + 2 >= before.size());
}

TEST_CASE("heavy instances may be split below a cache line", "[plan]") {
    ir::Design design;
    design.name = "heavy";
    test::ClassBuilder p(design, "work", 200);
    const ir::LocalId out = p.output("v", test::unsignedType(8));
    const ir::LocalId i = p.temp("i", test::unsignedType(16));
    const ir::LocalId sum = p.temp("sum", test::unsignedType(8));
    p.add(p.set(sum, p.number(1)));
    ir::Block body{p.set(sum, p.wrap(p.op(ir::BinaryOp::Add, p.read(sum), p.read(i)), 8))};
    p.add({{}, ir::For{i, ir::LoopKind::Up, p.number(1), p.number(10'000), body, 10'000}});
    p.add(p.set(out, p.read(sum)));
    p.finish();
    plan::Options scalar;
    scalar.lanes = false;
    const plan::Plan plan = plan::build(design, scalar);
    CHECK(plan.kernels[0].granularity == 1);
    CHECK(plan.kernels[0].cost > 10'000);
    // g++ runs the rounds of a whole vector at once, which another cut would tear apart
    const plan::Plan lanes = plan::build(design, {});
    CHECK(lanes.kernels[0].lanes == 32);
    CHECK(lanes.kernels[0].granularity == std::min(64u, design.classes[0].instances));
    // a branch among the rounds
    auto& loop = std::get<ir::For>(design.classes[0].body.statements[1].node);
    loop.body.push_back({{}, ir::Break{}});
    CHECK(plan::build(design, {}).kernels[0].granularity == 1);
}

TEST_CASE("the plan prints as stable text", "[plan]") {
    const ir::Design design = test::ring(20);
    CHECK(plan::print(plan::build(design, {}), design)
          == "plan levels 1 clocked 128 state 0\n"
             "unit_add_1\n"
             "    loop add x 20 granularity 16 lanes 8 level 0 cost 4 statements 2\n"
             "clocked 0: add.out.v 20 x 4\n");
}

TEST_CASE("vector code is not split into less than two vectors", "[plan]") {
    ir::Design bytes = test::ring(1000, 8);
    CHECK(plan::build(bytes, {}).kernels[0].granularity == 64);
    CHECK(plan::build(bytes, {}).kernels[0].lanes == 32);
    // so much work that a shared cache line does not matter
    ir::Body& body = bytes.classes[0].body;
    const ir::Stmt statement = body.statements.front();
    body.statements.insert(body.statements.end(), 5000, statement);
    CHECK(plan::build(bytes, {}).kernels[0].granularity == 64);
    plan::Options scalar;
    scalar.lanes = false;
    CHECK(plan::build(bytes, scalar).kernels[0].granularity == 1);
    CHECK(plan::build(bytes, scalar).kernels[0].lanes == 1);
}
