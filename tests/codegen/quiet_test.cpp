// Cycles after which nobody looks store less; one after which somebody may stores all.

#include <catch2/catch.hpp>

#include "codegen/cpp/decide/program.h"
#include "compile.h"
#include "designs.h"
#include "ir/analysis.h"

using namespace smec;
using namespace smec::codegen::cpp;
using test::integer;
using test::unsignedType;

namespace {

const plan::Options kWhole{.wholeStatements = 16'000};

/// What a design has beside `total += twice.v; total.v = total; unread.v = 3 * total`, and
/// `twice.v = 2 * total.v + 1` in the same cycle.
struct Beside {
    bool traces = false;   ///< what it has computed
    bool holds = false;    ///< twice.v
    bool selects = false;  ///< which of two twice.v it reads, when it runs
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
    if (beside.selects) design.classes[0].inputs[x].elements.push_back({{{0, 2, twice, 0, 1}}});
    const ir::ExprId read =
        beside.selects ? reader.read(x, reader.wrap(reader.read(total), 1)) : reader.read(x);
    reader.add(
        reader.set(total, reader.wrap(reader.op(ir::BinaryOp::Add, reader.read(total), read), 8)));
    if (beside.traces)
        reader.add({{}, ir::Trace{reader.traceSite("total {}", {{}}), {reader.read(total)}}});
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

/// Of the first block: how many outputs are for lookers, and how many inputs are variables.
struct Counts {
    std::size_t forLookers = 0, ofBlock = 0;
    bool operator==(const Counts&) const = default;
};

Counts countsOf(const ir::Design& design, const plan::Options& options) {
    const plan::Plan plan = plan::build(design, options);
    const SourceManager sources;
    const Options cpp;
    const Program program = decide(design, plan, sources, cpp);
    Counts counts;
    for (const BlockStep& step : std::get<BlockPlan>(program.kernels[0]).steps) {
        for (const OutputAccess& output : step.activation.outputs)
            counts.forLookers += output.isForLookers ? 1 : 0;
        for (const InputLoad& input : step.activation.inputs)
            counts.ofBlock += std::get<AtElement>(input.from).isOfBlock ? 1 : 0;
    }
    return counts;
}

std::string outputOf(const ir::Design& design, const plan::Options& options,
                     const std::string& arguments) {
    for (const std::string& problem : ir::verify(design))
        FAIL_CHECK(problem);
    test::Build build(design, options);
    INFO(build.units());
    const test::Outcome outcome = build.run("step.cpp", arguments, "-w -O1");
    CHECK(outcome.status == 0);
    return outcome.output;
}

}  // namespace

TEST_CASE("fields that no step reads in memory are for who looks", "[codegen][quiet]") {
    // unread.v and twice.v of both instances
    CHECK(countsOf(counters({}), kWhole) == Counts{4, 2});
    CHECK(countsOf(counters({}), {}) == Counts{0, 0});
    CHECK(countsOf(counters({.holds = true}), kWhole) == Counts{2, 0});
    CHECK(countsOf(counters({.selects = true}), kWhole) == Counts{2, 0});
    // a trace may end a run
    CHECK(countsOf(counters({.traces = true}), kWhole) == Counts{0, 0});
}

TEST_CASE("quiet cycles change nothing but what is stored", "[codegen][quiet]") {
    for (const Beside& beside : {Beside{}, Beside{.holds = true}, Beside{.selects = true}}) {
        const ir::Design design = counters(beside);
        const std::string wanted = outputOf(design, {}, "6");
        CHECK(outputOf(design, kWhole, "6") == wanted);
        CHECK(outputOf(design, kWhole, "6 quiet") == wanted);
        test::contains(wanted, "count[1].total = ");
    }
}

TEST_CASE("a field that nobody has written while it was quiet stays as it was",
          "[codegen][quiet]") {
    // all cycles quiet, the last one too
    const std::string all = outputOf(counters({}), kWhole, "6 silent");
    test::contains(all, "twice[0].twice.v = 0\n");
    test::contains(all, "count[1].unread.v = 0\n");
}
