// Cycles that nobody observes store less; one that somebody may observe stores all.

#include <catch2/catch.hpp>

#include "codegen/cpp/decide/program.h"
#include "codegen/cpp/target.h"
#include "compile.h"
#include "designs.h"
#include "ir/analysis.h"
#include "plan/partition.h"
#include "plan/target.h"
#include "plan/upkeep.h"

using namespace smec;
using namespace smec::codegen::cpp;
using test::integer;
using test::unsignedType;

namespace {

const plan::Options kWhole{.wholeStatements = 16'000};
const plan::Options kLoops{.loopThreshold = 1};  ///< several kernels

/// What a design has beside `total += twice.v; total.v = total; unread.v = 3 * total`, and
/// `twice.v = 2 * total.v + 1` in the same cycle.
struct Beside {
    bool traces = false;   ///< what it has computed
    bool holds = false;    ///< twice.v
    bool selects = false;  ///< which of two twice.v it reads, when it runs
    bool mixes = false;    ///< whether that or total.v of the cycle before
    bool fails = false;    ///< where the total is 255 or so, behind what is computed
    bool stops = false;    ///< where it is
};

ir::Design counters(const Beside& beside) {
    ir::Design design;
    design.name = "counters";
    test::ClassBuilder reader(design, "count", 2);
    const ir::LocalId total = reader.state("total", unsignedType(8));
    const ir::LocalId out = reader.output("total.v", unsignedType(8), {integer(3)});
    const ir::LocalId unread = reader.output("unread.v", unsignedType(8));
    const ir::PlaneId twice{3};  // the next one
    const auto x = reader.input("x.v", unsignedType(8), {{0, 2, twice, 0, 1}});
    if (beside.selects || beside.mixes) {
        const ir::PlaneId other = beside.mixes ? ir::PlaneId{1} : twice;
        design.classes[0].inputs[x].elements.push_back({{{0, 2, other, 0, 1}}});
    }
    const ir::ExprId read = beside.selects || beside.mixes
                                ? reader.read(x, reader.wrap(reader.read(total), 1))
                                : reader.read(x);
    reader.add(
        reader.set(total, reader.wrap(reader.op(ir::BinaryOp::Add, reader.read(total), read), 8)));
    if (beside.traces)
        reader.add({{}, ir::Trace{reader.traceSite("total {}", {{}}), {reader.read(total)}}});
    if (beside.fails || beside.stops) {
        const ir::ExprId isThere =
            reader.op(ir::BinaryOp::Lt, reader.number(200), reader.read(total));
        const ir::Stmt stop{{}, ir::If{isThere, {{{}, ir::Stop{reader.number(0)}}}, {}}};
        const ir::Stmt check{
            {},
            ir::Check{reader.op(ir::BinaryOp::Le, reader.read(total), reader.number(200)),
                      reader.failSite(ir::FailureKind::Assertion, ""),
                      {}}};
        reader.add(beside.fails ? check : stop);
    }
    reader.add(reader.set(out, reader.read(total)));
    reader.add(reader.set(
        unread,
        reader.wrap(reader.op(ir::BinaryOp::Mul, reader.read(total), reader.number(3)), 8)));
    reader.finish();
    test::ClassBuilder p(design, "twice", 2);
    const ir::LocalId v = p.output("twice.v", unsignedType(8), {integer(0)}, beside.holds, true);
    const auto from =
        p.input("total.v", unsignedType(8), {{0, 2, design.classes[0].outputs[0].plane, 0, 1}});
    p.add(p.set(v, p.wrap(p.op(ir::BinaryOp::Add,
                               p.op(ir::BinaryOp::Mul, p.read(from), p.number(2)), p.number(1)),
                          8)));
    p.finish();
    return design;
}

/// Variables that are added to one after the other, each in some cycles, and that outputs publish.
struct Registers {
    std::uint32_t count = 0;
    std::uint32_t begins = 0;  ///< the outputs; the variables begin with 0
    bool isSetLater = false;   ///< the first variable, once it has been published
};

/// x[k] += k + 1, always for k = 0, else where the lowest bits of (k + 1) * x[0] of the other
/// instance are not 0; `sum.v` is the sum of what they were.
ir::Design registers(const Registers& asked) {
    ir::Design design;
    design.name = "registers";
    test::ClassBuilder p(design, "keep", 2);
    std::vector<ir::LocalId> x, out;
    for (std::uint32_t k = 0; k < asked.count; ++k)
        x.push_back(p.state("x" + std::to_string(k), unsignedType(8)));
    for (std::uint32_t k = 0; k < asked.count; ++k)
        out.push_back(
            p.output("x" + std::to_string(k) + ".v", unsignedType(8), {integer(asked.begins)}));
    const std::uint32_t other =
        p.input("other.v", unsignedType(8), {{0, 1, p.plane(0), 1, 1}, {1, 1, p.plane(0), 0, 1}});
    const auto advance = [&](std::uint32_t k) {
        return p.set(x[k], p.wrap(p.op(ir::BinaryOp::Add, p.read(x[k]), p.number(k + 1)), 8));
    };
    p.add(advance(0));
    for (std::uint32_t k = 1; k < asked.count; ++k) {
        const ir::ExprId rest = p.wrap(p.op(ir::BinaryOp::Mul, p.read(other), p.number(k + 1)), 2);
        ir::Stmt stmt{{}, ir::If{p.op(ir::BinaryOp::Ne, rest, p.number(0)), {advance(k)}, {}}};
        p.add(std::move(stmt));
    }
    for (std::uint32_t k = 0; k < asked.count; ++k)
        p.add(p.set(out[k], p.read(x[k])));
    if (asked.isSetLater) p.add(advance(0));
    p.finish();
    test::ClassBuilder reader(design, "sum", 2);
    const ir::LocalId sum = reader.output("sum.v", unsignedType(8), {integer(0)}, false, true);
    ir::ExprId value = reader.number(0);
    for (std::uint32_t k = 0; k < asked.count; ++k) {
        const std::uint32_t input = reader.input("x" + std::to_string(k) + ".v", unsignedType(8),
                                                 {{0, 2, p.plane(k), 0, 1}});
        value = reader.wrap(reader.op(ir::BinaryOp::Add, value, reader.read(input)), 8);
    }
    reader.add(reader.set(sum, value));
    reader.finish();
    return design;
}

/// A word that branches set, and what is computed from it and no other thing.
struct Decoded {
    std::uint32_t branches = 1;  ///< each is taken in another cycle of eight
    std::uint32_t operators = 20;
    bool isSetAlways = false;
    bool isChained = false;  ///< a second step computes as much from what the first has
};

/// `decoded.v` is made from a word by so many operators.
ir::PlaneId addDecoder(ir::Design& design, const std::string& name, ir::PlaneId from,
                       std::uint32_t operators) {
    test::ClassBuilder p(design, name, 2);
    const ir::LocalId out = p.output("decoded.v", unsignedType(8), {integer(0)}, false, true);
    ir::ExprId value = p.read(p.input("word.v", unsignedType(8), {{0, 2, from, 0, 1}}));
    for (std::uint32_t k = 0; k < operators / 2; ++k)
        value = p.wrap(
            p.op(k % 2 == 0 ? ir::BinaryOp::Mul : ir::BinaryOp::Add, value, p.number(2 * k + 3)),
            8);
    p.add(p.set(out, value));
    const ir::PlaneId plane = p.plane();
    p.finish();
    return plane;
}

ir::Design decoded(const Decoded& asked) {
    ir::Design design;
    design.name = "decoded";
    test::ClassBuilder p(design, "fetch", 2);
    const ir::LocalId phase = p.state("phase", unsignedType(3), {integer(0), integer(3)});
    const ir::LocalId sum = p.state("sum", unsignedType(8));
    const ir::LocalId word = p.state("word", unsignedType(8), {integer(7), integer(9)});
    const ir::LocalId out = p.output("word.v", unsignedType(8), {integer(1)});
    const std::uint32_t in = p.input("decoded.v", unsignedType(8));
    const auto add = [&](ir::LocalId to, ir::ExprId value, std::uint32_t width) {
        return p.set(to, p.wrap(p.op(ir::BinaryOp::Add, p.read(to), value), width));
    };
    p.add(add(phase, p.number(1), 3));
    p.add(add(sum, p.read(in), 8));
    for (std::uint32_t k = 0; k < asked.branches; ++k) {
        const ir::ExprId isNow = p.op(ir::BinaryOp::Eq, p.read(phase), p.number(3 * k % 8));
        p.add({{}, ir::If{isNow, {add(word, p.number(k + 1), 8)}, {}}});
    }
    if (asked.isSetAlways) p.add(add(word, p.number(5), 8));
    p.add(p.set(out, p.read(word)));
    const ir::PlaneId from = p.plane();
    p.finish();
    ir::PlaneId to = addDecoder(design, "decode", from, asked.operators);
    if (asked.isChained) to = addDecoder(design, "again", to, asked.operators);
    design.classes[0].inputs[in].elements[0].runs = {{0, 2, to, 0, 1}};
    return design;
}

/// Of the first block: how many outputs are for lookers, and how many inputs are variables.
struct Counts {
    std::size_t forLookers = 0, ofBlock = 0;
    bool operator==(const Counts&) const = default;
};

/// A plan whose block is cut before some of its steps, into functions in units of so many statements.
plan::Plan cutPlan(const ir::Design& design, const std::vector<std::uint32_t>& cuts,
                   std::uint32_t unitStatements = kWhole.unitStatements) {
    plan::Options options = kWhole;
    options.unitStatements = unitStatements;
    plan::Plan plan = plan::build(design, options);
    const plan::Facts facts = plan::factsOf(design);
    plan.kernels.at(0).cuts = cuts;
    plan::formUnits(design, options, std::vector<std::uint32_t>(facts.classes.size(), 1), plan);
    plan::decideUpkeep(design, facts, options, plan);
    return plan;
}

Counts countsIn(const plan::Plan& plan, const ir::Design& design) {
    const SourceManager sources;
    const Options cpp;
    const plan::Facts facts = plan::factsOf(design);
    const Program program = decide(design, plan, facts, sources, cpp);
    Counts counts;
    const auto* block = std::get_if<BlockPlan>(&program.kernels[0]);
    if (block == nullptr) return {};
    for (const BlockStep& step : block->steps) {
        for (const OutputAccess& output : step.activation.outputs)
            counts.forLookers += output.isForLookers ? 1 : 0;
        for (const InputLoad& input : step.activation.inputs)
            counts.ofBlock += std::get<AtElement>(input.from).isOfBlock ? 1 : 0;
    }
    return counts;
}

Counts countsOf(const ir::Design& design, const plan::Options& options) {
    return countsIn(plan::build(design, options), design);
}

/// Fields that unobserved cycles have in the variable alone, those of them that a later step reads, and
/// variables without a copy.
struct Kept {
    std::size_t fields = 0, readAfter = 0, inPlace = 0;
    bool operator==(const Kept&) const = default;
};

Kept keptIn(const plan::Plan& plan, const ir::Design& design) {
    const SourceManager sources;
    const Options cpp;
    const plan::Facts facts = plan::factsOf(design);
    const Program program = decide(design, plan, facts, sources, cpp);
    Kept kept;
    for (const KernelPlan& kernel : program.kernels) {
        const auto* block = std::get_if<BlockPlan>(&kernel);
        if (block == nullptr) continue;
        for (const BlockStep& step : block->steps) {
            for (const OutputAccess& output : step.activation.outputs) {
                kept.fields += output.variable ? 1 : 0;
                kept.readAfter += output.isReadAfter ? 1 : 0;
            }
            for (const StateAccess& state : step.activation.state)
                kept.inPlace += state.worksOn == WorksOn::Reference ? 1 : 0;
        }
    }
    return kept;
}

/// Steps that rest, and places that wake one.
struct Resting {
    std::size_t steps = 0, wakers = 0;
    bool operator==(const Resting&) const = default;
};

Resting restingOf(const ir::Design& design, const plan::Options& options) {
    const plan::Plan plan = plan::build(design, options);
    const SourceManager sources;
    const Options cpp;
    const plan::Facts facts = plan::factsOf(design);
    const Program program = decide(design, plan, facts, sources, cpp);
    Resting resting;
    const auto* block = std::get_if<BlockPlan>(&program.kernels[0]);
    if (block == nullptr) return resting;
    for (const BlockStep& step : block->steps) {
        resting.steps += step.rests ? 1 : 0;
        resting.wakers += step.wakes.size();
    }
    return resting;
}

Kept keptOf(const ir::Design& design, const plan::Options& options) {
    return keptIn(plan::build(design, options), design);
}

/// What one program says, with each of several arguments.
std::vector<std::string> outputsIn(plan::Plan plan, const ir::Design& design,
                                   const std::vector<std::string>& arguments, int status = 0) {
    for (const std::string& problem : ir::verify(design))
        FAIL_CHECK(problem);
    test::Build build(std::move(plan), design);
    INFO(build.units());
    std::vector<std::string> outputs;
    for (const std::string& words : arguments) {
        const test::Outcome outcome =
            outputs.empty() ? build.run("step.cpp", words, "-w -O1")
                            : test::shell("cd " + build.folder() + " && ./sim " + words);
        CHECK(outcome.status == status);
        outputs.push_back(outcome.output);
    }
    return outputs;
}

std::vector<std::string> outputsOf(const ir::Design& design, const plan::Options& options,
                                   const std::vector<std::string>& arguments, int status = 0) {
    return outputsIn(plan::build(design, options), design, arguments, status);
}

/// Runs of so many cycles come to the same in one block, observed and not.
void checkBlock(const ir::Design& design, const plan::Options& other,
                const std::vector<std::string>& cycles, const std::string& part) {
    const std::vector<std::string> wanted = outputsOf(design, other, cycles);
    std::vector<std::string> runs = cycles, both = wanted;
    for (std::size_t i = 0; i < cycles.size(); ++i) {
        test::contains(wanted[i], part);
        runs.push_back(cycles[i] + " unobserved");
        both.push_back(wanted[i]);
    }
    CHECK(outputsOf(design, kWhole, runs) == both);
}

}  // namespace

TEST_CASE("fields that no step reads in memory are for who looks", "[codegen][unobserved]") {
    // total.v, which its variable has, unread.v and twice.v of both instances
    CHECK(countsOf(counters({}), kWhole) == Counts{6, 2});
    CHECK(countsOf(counters({}), kLoops) == Counts{0, 0});
    CHECK(countsOf(counters({.holds = true}), kWhole) == Counts{4, 0});
    CHECK(countsOf(counters({.selects = true}), kWhole) == Counts{4, 0});
    CHECK(countsOf(counters({.traces = true}), kWhole) == Counts{6, 2});
}

TEST_CASE("unobserved cycles change nothing but what is stored", "[codegen][unobserved]") {
    for (const Beside& beside :
         {Beside{}, Beside{.holds = true}, Beside{.selects = true}, Beside{.mixes = true}}) {
        checkBlock(counters(beside), {}, {"7"}, "count[1].total = ");
    }
}

TEST_CASE("what happens in an unobserved cycle happens in an observed one",
          "[codegen][unobserved]") {
    for (const Beside& beside : {Beside{.traces = true}, Beside{.stops = true}})
        checkBlock(counters(beside), kLoops, {"2", "5", "40"}, "count[1].total = ");
    // the first failure ends a run, and what its activation wrote stays
    const ir::Design design = counters({.fails = true});
    const std::vector<std::string> wanted = outputsOf(design, kLoops, {"40"}, 1);
    test::contains(wanted.front(), "fail ");
    CHECK(outputsOf(design, kWhole, {"40 unobserved"}, 1) == wanted);
}

TEST_CASE("a field that nobody has written in unobserved cycles stays as it was",
          "[codegen][unobserved]") {
    // all cycles unobserved, the last one too
    const std::string all = outputsOf(counters({}), kWhole, {"6 silent"}).front();
    test::contains(all, "twice[0].twice.v = 0\n");
    test::contains(all, "count[1].unread.v = 0\n");
}

TEST_CASE("an output that publishes a variable is not stored while nobody looks",
          "[codegen][unobserved]") {
    // its reader runs before it
    CHECK(keptOf(counters({}), kWhole) == Kept{2, 0, 2});
    CHECK(keptOf(registers({.count = 3}), kWhole) == Kept{6, 6, 6});
    CHECK(keptOf(registers({.count = 3, .begins = 1}), kWhole) == Kept{6, 6, 6});
    CHECK(keptOf(registers({.count = 3, .isSetLater = true}), kWhole) == Kept{4, 4, 6});
    // others may look at any time
    CHECK(keptOf(registers({.count = 3}), kLoops).fields == 0);
    for (const Registers& asked : {Registers{3}, Registers{20}, Registers{3, 1}, Registers{20, 1},
                                   Registers{3, 0, true}, Registers{20, 0, true}}) {
        checkBlock(registers(asked), {}, {"2", "3", "9"}, "keep[1].x1 = ");
    }
}

TEST_CASE("beside elements that are set few variables are copied", "[codegen][plan]") {
    // An element may be a variable, for a C++ compiler, which stores and loads these around it.
    const auto inPlace = [](std::size_t variables, bool isConstant, ir::LocalKind kind) {
        ir::Design design;
        test::ClassBuilder p(design, "p", 1);
        const ir::LocalId list = kind == ir::LocalKind::State ? p.state("list", unsignedType(32, 8))
                                                              : p.temp("list", unsignedType(32, 8));
        const ir::LocalId out = p.output("v", unsignedType(32));
        for (std::size_t i = 0; i < variables; ++i) {
            const ir::LocalId one = p.state(fmt::format("s{}", i), unsignedType(32));
            p.add(p.set(one, p.wrap(p.op(ir::BinaryOp::Add, p.read(one), p.number(1)), 32)));
            const ir::ExprId at = isConstant ? p.number(3) : p.wrap(p.read(one), 3);
            p.add(p.set(list, p.read(one), at));
        }
        p.add(p.set(out, p.read(list, p.number(5))));
        p.finish();
        return keptOf(design, kWhole).inPlace;
    };
    const std::size_t few = target::kRegisters;
    CHECK(inPlace(few, false, ir::LocalKind::State) == 0);
    CHECK(inPlace(few + 1, false, ir::LocalKind::State) == few + 1);
    CHECK(inPlace(few, true, ir::LocalKind::State) == few);
    CHECK(inPlace(few, false, ir::LocalKind::Temp) == few);
}

TEST_CASE("a step whose inputs seldom change runs when a branch has set one",
          "[codegen][unobserved]") {
    CHECK(restingOf(decoded({}), kWhole) == Resting{2, 2});
    CHECK(restingOf(decoded({}), kLoops) == Resting{0, 0});
    CHECK(restingOf(decoded({.branches = 3}), kWhole) == Resting{2, 6});
    CHECK(restingOf(decoded({.isChained = true}), kWhole) == Resting{4, 4});
    // too often, or not worth it
    CHECK(restingOf(decoded({.branches = 17}), kWhole) == Resting{0, 0});
    CHECK(restingOf(decoded({.isSetAlways = true}), kWhole) == Resting{0, 0});
    CHECK(restingOf(decoded({.operators = 2}), kWhole) == Resting{0, 0});
    for (const Decoded& asked : {Decoded{}, Decoded{3}, Decoded{2, 20, false, true}}) {
        checkBlock(decoded(asked), {}, {"3", "12", "23"}, "fetch[1].sum = ");
    }
}

TEST_CASE("what functions of a block tell one another goes through memory",
          "[codegen][unobserved]") {
    // keep[0], keep[1], sum[0], sum[1]
    const ir::Design design = registers({.count = 3});
    CHECK(keptIn(cutPlan(design, {2}), design) == Kept{0, 0, 6});
    CHECK(keptIn(cutPlan(design, {3}), design) == Kept{3, 3, 6});
    CHECK(keptIn(cutPlan(design, {1}), design) == Kept{3, 3, 6});
    const SourceManager sources;
    const plan::Facts facts = plan::factsOf(design);
    const auto shapeOf = [&](std::uint32_t statements) {
        plan::Plan plan = cutPlan(design, {1});
        plan.kernels.at(0).statements = statements;
        return generate(design, plan, facts, sources, {}).shapes.begin()->second;
    };
    const auto longest = std::uint32_t(plan::target::longestFunction());
    CHECK(shapeOf(longest + 1) == CodeShape::CutStraight);
    CHECK(shapeOf(longest) == CodeShape::Straight);
    // twice[0], count[0], twice[1], count[1]
    CHECK(countsIn(cutPlan(counters({}), {2}), counters({})) == Counts{6, 2});
    CHECK(countsIn(cutPlan(counters({}), {1, 2, 3}), counters({})) == Counts{4, 0});
    const std::vector<std::string> runs = {"2", "9", "2 unobserved", "9 unobserved"};
    for (const ir::Design& cut : {registers({.count = 3, .begins = 1}), counters({})}) {
        std::vector<std::string> wanted = outputsIn(plan::build(cut, {}), cut, {"2", "9"});
        wanted.insert(wanted.end(), {wanted[0], wanted[1]});
        for (const std::vector<std::uint32_t>& cuts :
             {std::vector<std::uint32_t>{1}, {2}, {3}, {1, 2, 3}}) {
            CHECK(outputsIn(cutPlan(cut, cuts), cut, runs) == wanted);
            const plan::Plan inUnits = cutPlan(cut, cuts, 1);
            CHECK(inUnits.units.size() == cuts.size() + 1);
            CHECK(outputsIn(inUnits, cut, runs) == wanted);
        }
    }
}
