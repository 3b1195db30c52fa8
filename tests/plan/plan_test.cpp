#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <set>

#include "codegen/designs.h"
#include "plan/flows.h"
#include "plan/plan.h"

using namespace smec;

namespace {

using plan::KernelKind;

std::size_t countOf(const plan::Plan& plan, KernelKind kind) {
    return static_cast<std::size_t>(
        std::count_if(plan.kernels.begin(), plan.kernels.end(),
                      [&](const plan::Kernel& k) { return k.kind == kind; }));
}

/// n combinational classes of one instance each, class i reading class i - 1, and one clocked
/// reader.
ir::Design chain(std::uint32_t n, std::uint32_t instances) {
    ir::Design design;
    design.name = "chain";
    for (std::uint32_t i = 0; i <= n; ++i) {
        test::ClassBuilder p(design, "c" + std::to_string(i), instances);
        const ir::LocalId out =
            p.output("v", test::unsignedType(8), {test::integer(0)}, false, i < n);
        if (i > 0)
            p.add(p.set(out, p.read(p.input("x.v", test::unsignedType(8),
                                            {{0, instances, {i - 1}, 0, 1}}))));
        else
            p.add(p.set(out, p.number(1)));
        p.finish();
    }
    return design;
}

/// A chain of three whose clocked class reads its neighbour's value.
ir::Design chainToNeighbour(std::uint32_t instances) {
    ir::Design design = chain(3, instances);
    const ir::PlaneId plane = design.classes[2].outputs[0].plane;
    design.classes[3].inputs[0].elements[0].runs = {{0, instances - 1, plane, 1, 1},
                                                    {instances - 1, 1, plane, 0, 0}};
    return design;
}

/// n clocked classes of one instance each; class i reads those that `reads(i)` names.
template <typename Reads>
ir::Design wired(std::uint32_t n, Reads&& reads) {
    ir::Design design;
    design.name = "wired";
    std::vector<ir::PlaneId> planes;
    std::vector<std::vector<std::uint32_t>> sources;
    for (std::uint32_t i = 0; i < n; ++i) {
        test::ClassBuilder p(design, "c" + std::to_string(i), 1);
        const ir::LocalId out = p.output("v", test::unsignedType(32), {test::integer(0)});
        planes.push_back(p.plane());
        sources.push_back(reads(i));
        ir::ExprId sum = p.number(i);
        for (std::size_t k = 0; k < sources.back().size(); ++k) {
            p.input("x" + std::to_string(k) + ".v", test::unsignedType(32));
            sum = p.op(test::Xor, sum, p.read(static_cast<std::uint32_t>(k)));
        }
        p.add(p.set(out, sum));
        p.finish();
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < sources[i].size(); ++k)
            design.classes[i].inputs[k].elements[0].runs = {{0, 1, planes[sources[i][k]], 0, 0}};
    }
    return design;
}

/// So many networks, each a chain that reads the last one and the one before; in source order one
/// process of each in turn.
ir::Design interleaved(std::uint32_t n, std::uint32_t networks) {
    return wired(n, [&](std::uint32_t i) {
        return std::vector{(i + n - networks) % n, (i + n - 2 * networks) % n};
    });
}

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
    const ir::Design design = interleaved(10'000, 1);
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

TEST_CASE("networks that are interleaved in the source are taken apart", "[plan]") {
    std::mt19937 random(1);
    const ir::Design design = wired(800, [&](std::uint32_t i) {
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
    const ir::Design design = interleaved(800, 50);
    const plan::Options options{.unitStatements = 200, .blockStatements = 200};
    const plan::Plan plan = plan::build(design, options);
    checkBounds(plan, options);
    CHECK(plan.kernels.size() % 8 == 0);
    CHECK(crossing(design, plan) <= 8);
}

TEST_CASE("what reads its neighbours keeps source order", "[plan]") {
    const ir::Design design = interleaved(800, 1);
    const plan::Plan plan = plan::build(design, {.unitStatements = 200, .blockStatements = 200});
    CHECK(plan.kernels.size() > 4);
    CHECK(plan.cutDepths.empty());
    for (const plan::Kernel& kernel : plan.kernels)
        CHECK(kernel.unitStart == plan::UnitStart::ByName);
    const std::vector<std::uint32_t> order = orderOf(plan);
    CHECK(std::is_sorted(order.begin(), order.end()));
}

TEST_CASE("designs of one block, and of dear processes, keep source order", "[plan]") {
    CHECK(plan::build(interleaved(200, 2), {}).cutDepths.empty());
    const plan::Plan plan = plan::build(interleaved(800, 2), {.blockCost = 20});
    CHECK(plan.kernels.size() > 100);
    CHECK(plan.cutDepths.empty());
}

TEST_CASE("steps that read nothing keep source order", "[plan]") {
    const ir::Design design =
        wired(800, [](std::uint32_t) { return std::vector<std::uint32_t>{}; });
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
    CHECK(countOf(plan, KernelKind::Loop) == 1);
    CHECK(plan.units.front().kernels.size() == 1);
    CHECK(orderOf(plan).size() == 1000);
}

TEST_CASE("a straight-line chain stands in its reader's block", "[plan]") {
    const plan::Plan plan = plan::build(chain(50, 1), {});
    CHECK(plan.levels == 1);
    REQUIRE(countOf(plan, KernelKind::Block) == 1);
    CHECK(plan.kernels[0].steps.size() == 51);
    for (std::size_t i = 1; i < plan.kernels[0].steps.size(); ++i) {
        CHECK(plan.kernels[0].steps[i - 1].cls.index < plan.kernels[0].steps[i].cls.index);
    }
}

TEST_CASE("a chain that is larger than a block keeps a level", "[plan]") {
    const plan::Plan plan = plan::build(chain(50, 1), {.blockStatements = 60});
    CHECK(plan.levels >= 2);
    std::size_t steps = 0;
    for (const plan::Kernel& kernel : plan.kernels) {
        CHECK(kernel.statements <= 60);
        steps += kernel.steps.size();
    }
    CHECK(steps == 51);
}

TEST_CASE("loops are merged into what reads them instance by instance", "[plan]") {
    const plan::Plan plan = plan::build(chain(3, 100), {});
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
    const plan::Plan plan = plan::build(chainToNeighbour(100'000), {});
    CHECK(plan.levels == 4);
    REQUIRE(plan.kernels.size() == 4);
    for (std::uint32_t i = 0; i < 4; ++i) {
        CHECK(plan.kernels[i].level == i);
        CHECK(plan.kernels[i].cls.index == i);
    }
}

TEST_CASE("levels with little work become one", "[plan]") {
    const plan::Plan plan = plan::build(chainToNeighbour(100), {});
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
    ir::Design design = chainToNeighbour(100);
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
    CHECK(countOf(plan, KernelKind::Ordered) == 0);
}

TEST_CASE("what nobody reads runs beside the clocked processes", "[plan]") {
    const std::uint32_t instances = GENERATE(1U, 100U);
    ir::Design design = chain(2, instances);
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

TEST_CASE("flows have every byte that is read, and stay in the works they name", "[plan]") {
    const std::vector<ir::Design> designs = {
        test::ring(7),
        test::ring(100'000),
        test::hetero(500),
        chain(5, 100),
        chainToNeighbour(1000),
        wired(300, [](std::uint32_t i) {
            return std::vector<std::uint32_t>{(i * 7) % 300, (i + 299) % 300};
        })};
    for (const ir::Design& design : designs) {
        const plan::Plan plan = plan::build(design, {});
        std::uint64_t read = 0;
        for (const ir::Class& cls : design.classes) {
            for (const ir::Input& input : cls.inputs) {
                for (const ir::Connection& connection : input.elements) {
                    for (const ir::Run& run : connection.runs)
                        read += run.count * plan.placements[run.plane.index].bytesPerInstance;
                }
            }
        }
        std::vector<std::uint64_t> instances;
        for (const plan::Kernel& kernel : plan.kernels) {
            if (!kernel.scheduled) continue;
            const bool isBlock =
                kernel.kind == KernelKind::Block || kernel.kind == KernelKind::Ordered;
            instances.push_back(isBlock ? 1
                                : kernel.kind == KernelKind::Merged
                                    ? design.classes[kernel.parts[0].index].instances
                                    : kernel.processes);
        }
        std::uint64_t bytes = 0;
        for (const plan::Flow& flow : plan::flowsOf(design, plan)) {
            bytes += flow.bytes;
            REQUIRE(flow.reader < instances.size());
            REQUIRE(flow.writer < instances.size());
            CHECK(flow.readerFirst + flow.readerCount <= instances[flow.reader]);
            CHECK(flow.writerFirst + flow.writerCount <= instances[flow.writer]);
            CHECK((flow.readerCount > 0 && flow.writerCount > 0));
        }
        CHECK(bytes == read);
    }
}
