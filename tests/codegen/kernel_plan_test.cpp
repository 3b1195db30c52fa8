// What is decided about kernels, looked at as data.

#include <catch2/catch.hpp>

#include <functional>

#include "decided.h"
#include "ir/target.h"
#include "plan_lister.h"
#include "support/golden.h"

using namespace smec;
using namespace smec::codegen::cpp;
using test::Decided;
using test::integer;
using test::unsignedType;

namespace {

/// n processes `out.v = x.v + added` of one u32; `runs` into plane 0.
void addReader(ir::Design& design, const std::string& name, std::uint32_t n, std::uint32_t added,
               std::vector<ir::Run> runs) {
    test::ClassBuilder p(design, name, n);
    const ir::LocalId out = p.output(name + ".v", unsignedType(32), {integer(0)});
    const auto x = p.input("x_of_" + name, unsignedType(32), std::move(runs));
    p.add(p.set(out, p.wrap(p.op(ir::BinaryOp::Add, p.read(x), p.number(added)), 32)));
    p.finish();
}

/// Walks of all loops that have a function of their own.
std::size_t functions(const Program& program) {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < program.kernels.size(); ++i) {
        const auto* loop = std::get_if<LoopPlan>(&program.kernels[i]);
        if (loop == nullptr) continue;
        for (std::uint32_t w = 0; w < loop->walks.size(); ++w)
            count += loop->walks[w].function == WalkRef{i, w} ? 1 : 0;
    }
    return count;
}

std::vector<ir::Run> straight(std::uint32_t n) { return {{0, n, {0}, 0, 1}}; }

}  // namespace

TEST_CASE("a ring is one walk over two segments", "[codegen][plan]") {
    const Decided ring(test::ring(8));
    const LoopPlan& loop = ring.loop();
    REQUIRE(loop.walks.size() == 1);
    CHECK(loop.segments.rowWidth == 3);
    CHECK(loop.segments.rows == std::vector<std::uint32_t>{0, 1, 7, 1, 7, 0});
    CHECK(std::holds_alternative<RowsInCode>(loop.segments.place));
    CHECK_FALSE(loop.seams);

    const Walk& walk = loop.walks[0];
    CHECK(walk.kind == WalkKind::Segment);
    CHECK(walk.isSilent);
    REQUIRE(walk.parameters.size() == 2);
    CHECK(walk.parameters[0].use == ParameterUse::Field);
    CHECK(std::get<InRow>(walk.parameters[0].argument).stride == 1);
    CHECK(walk.parameters[1].use == ParameterUse::Output);
    CHECK(std::get<InRegion>(walk.parameters[1].argument).base == Base::Write);

    REQUIRE(walk.activation.inputs.size() == 1);
    CHECK(walk.activation.inputs[0].from == Access{AtStride{0, 1}});
    CHECK(walk.activation.state.empty());
    REQUIRE(walk.activation.outputs.size() == 1);
    CHECK(walk.activation.outputs[0].place == Access{OfInstance{1, 0}});
    CHECK(std::holds_alternative<Overwritten>(walk.activation.outputs[0].begin));
}

TEST_CASE("variables that seams need are saved", "[codegen][plan]") {
    const Decided torus(test::mesh(24, true));
    const LoopPlan& loop = torus.loop();
    REQUIRE(loop.seams);
    CHECK(loop.seams->saved == std::vector<std::uint32_t>{0});
    CHECK(loop.seams->seamsInSpan > 0);
    const Walk* seams = loop.find(WalkKind::Seams);
    REQUIRE(seams != nullptr);
    const StateAccess& count = seams->activation.state.at(0);
    const auto saved = std::get<AtStride>(std::get<From>(count.begin).place);
    CHECK(seams->parameters.at(saved.pointer).use == ParameterUse::Saved);
    CHECK(seams->parameters.at(std::get<OfInstance>(count.place).pointer).use
          == ParameterUse::State);
    // Without a variable there is nothing to save.
    CHECK(Decided(test::mesh(24)).loop().seams->saved.empty());
}

TEST_CASE("vectors are filled where rounds run in lanes", "[codegen][plan]") {
    const auto design = [](std::uint32_t n, bool leaves) {
        ir::Design rounds;
        test::ClassBuilder p(rounds, "work", n);
        const ir::LocalId out = p.output("v", unsignedType(16));
        const ir::LocalId i = p.temp("i", unsignedType(16));
        const auto x = p.input("x", unsignedType(16), {{0, n, p.plane(), 0, 1}});
        p.add(p.set(out, p.read(x)));
        ir::Block body{p.set(out, p.wrap(p.op(ir::BinaryOp::Add, p.read(out), p.read(i)), 16))};
        if (leaves) body.push_back({{}, ir::Break{}});
        p.add({{}, ir::For{i, ir::LoopKind::Up, p.number(1), p.number(100), body, 100}});
        p.finish();
        return rounds;
    };
    CHECK(Decided(design(37, false)).loop().filledWord == 2);
    CHECK(Decided(design(37, true)).loop().filledWord == 0);
    CHECK(Decided(design(ir::target::kLaneInstances - 1, false)).loop().filledWord == 0);
    Options scalar;
    scalar.lanes = false;
    CHECK(Decided(design(37, false), scalar).loop().filledWord == 0);
    CHECK(Decided(test::ring(37)).loop().filledWord == 0);
}

TEST_CASE("checks are walked ahead only where loops run in lanes", "[codegen][plan]") {
    const auto design = [] {
        ir::Design checked;
        test::ClassBuilder p(checked, "counter", 32);
        const ir::LocalId out = p.output("v", unsignedType(32), {integer(0)}, true);
        const auto x = p.input("x", unsignedType(32), {{0, 32, p.plane(), 0, 1}});
        const auto site = p.failSite(ir::FailureKind::Assertion, "");
        p.add({{}, ir::Check{p.op(ir::BinaryOp::Lt, p.read(x), p.number(9)), site, {}}});
        p.add(p.set(out, p.wrap(p.op(ir::BinaryOp::Add, p.read(x), p.number(1)), 32)));
        p.finish();
        return checked;
    };
    const Decided lanes(design());
    REQUIRE(lanes.loop().walks.size() == 3);
    CHECK(lanes.loop().walks[1].kind == WalkKind::Ahead);
    CHECK(lanes.loop().walks[2].kind == WalkKind::Sure);
    CHECK(lanes.loop().walks[0].told == Surroundings{true, true});
    CHECK(lanes.loop().walks[2].told == Surroundings{false, false});
    Options scalar;
    scalar.lanes = false;
    CHECK(Decided(design(), scalar).loop().walks.size() == 1);
}

TEST_CASE("segments go on across seams while checks hold", "[codegen][plan]") {
    const Decided torus(test::mesh(24, true, true));
    const LoopPlan& loop = torus.loop();
    REQUIRE(loop.joined);
    REQUIRE(loop.seams);
    CHECK(loop.segments.count() == 72);
    CHECK(loop.joined->count() < 12);
    CHECK(loop.seams->saved == std::vector<std::uint32_t>{0});
    CHECK(loop.find(WalkKind::Seams) == nullptr);
    REQUIRE(loop.find(WalkKind::AheadAtSeams) != nullptr);
    REQUIRE(loop.find(WalkKind::SureAtSeams) != nullptr);
    CHECK(loop.find(WalkKind::SureAtSeams)->told == Surroundings{false, false});
    CHECK(!Decided(test::mesh(24, true)).loop().joined);
}

TEST_CASE("strides that differ are parameters of a walk of their own", "[codegen][plan]") {
    ir::Design design;
    addReader(design, "source", 40, 0, straight(40));
    addReader(design, "reader", 40, 0, {{0, 30, {0}, 0, 1}, {30, 10, {0}, 39, -1}});
    const Decided decided(std::move(design));
    const LoopPlan& loop = decided.loop(1);
    REQUIRE(loop.usualStrides.size() == 1);
    CHECK(loop.usualStrides[0].stride == 1);
    const Walk* strided = loop.find(WalkKind::Strided);
    REQUIRE(strided != nullptr);
    CHECK(strided->activation.inputs.at(0).from == Access{AtStep{0, 1}});
    CHECK(strided->parameters.at(1).use == ParameterUse::Step);
}

TEST_CASE("walks that do the same have one function", "[codegen][plan]") {
    ir::Design design;
    addReader(design, "source", 20, 0, straight(20));
    addReader(design, "a", 20, 1, straight(20));
    addReader(design, "b", 20, 1, straight(20));  // whatever things are called
    addReader(design, "c", 20, 2, straight(20));
    addReader(design, "d", 20, 1, {{0, 20, {0}, 19, -1}});
    addReader(design, "e", 20, 1, {{0, 20, {0}, 5, 0}});
    const Decided decided(std::move(design));
    CHECK(functions(decided.program()) == 5);
    CHECK(decided.loop(2).walks[0].function == WalkRef{1, 0});
}

TEST_CASE("what is computed in other words is not shared", "[codegen][plan]") {
    // The product of a column's values: in 32 bits, or in 64.
    const auto add = [](ir::Design& design, int highest) {
        test::ClassBuilder p(design, "scaled", 20);
        const ir::LocalId out = p.output("v", unsignedType(64), {integer(0)});
        std::vector<ir::Constant> values(20, integer(1));
        values[3] = integer(highest);
        const ir::ExprId factor =
            p.column("factor", {ir::ScalarKind::Int, false, 32}, values, {1, highest});
        p.add(p.set(out, p.wrap(p.op(ir::BinaryOp::Mul, factor, factor), 64)));
        p.finish();
    };
    ir::Design design;
    add(design, 1000);
    add(design, 1001);
    add(design, 1'000'000);
    const Decided decided(std::move(design));
    CHECK(functions(decided.program()) == 2);
}

TEST_CASE("indices that are proved to be in range are not shared with others", "[codegen][plan]") {
    const auto add = [](ir::Design& design, std::uint32_t width) {
        test::ClassBuilder p(design, "lookup", 20);
        const ir::LocalId out = p.output("v", unsignedType(8), {integer(0)});
        const ir::LocalId list = p.state("list", unsignedType(8, 8));
        const auto x = p.input("x", unsignedType(8), {{0, 20, p.plane(), 0, 1}});
        p.add(p.set(out, p.read(list, p.wrap(p.read(x), width))));
        p.finish();
    };
    ir::Design design;
    add(design, 3);
    add(design, 3);
    add(design, 4);
    const Decided decided(std::move(design));
    CHECK(functions(decided.program()) == 2);
}

TEST_CASE("what intervals prove of expressions is data", "[codegen][plan]") {
    ir::Design design;
    test::ClassBuilder p(design, "p", 20);
    const ir::LocalId out = p.output("v", unsignedType(16), {integer(0)});
    const ir::ExprId x = p.read(p.input("x", unsignedType(8), {{0, 20, p.plane(), 0, 1}}));
    const ir::ExprId sum = p.op(ir::BinaryOp::Add, x, p.number(1));
    const ir::ExprId kept = p.wrap(sum, 16), cut = p.wrap(sum, 8);
    const ir::ExprId exact = p.op(ir::BinaryOp::Div, x, p.number(3));
    const ir::ExprId guarded = p.op(ir::BinaryOp::Div, p.number(3), x);
    p.add(p.set(out, p.wrap(p.op(ir::BinaryOp::Add, p.op(ir::BinaryOp::Add, kept, cut),
                                 p.op(ir::BinaryOp::Add, exact, guarded)),
                            16)));
    p.finish();
    const Decided decided(std::move(design));
    const std::vector<ExprFacts>& facts = decided.program().classes[0].facts;
    CHECK(facts[sum.index].atMost == 256);
    CHECK(facts[sum.index].isBelow(257));
    CHECK_FALSE(facts[sum.index].isBelow(256));
    CHECK(facts[x.index].extent == Extent{false, 8, 16});
    CHECK(holds(Word{WordKind::Int, false, 8}, facts[x.index].extent));
    CHECK_FALSE(holds(Word{WordKind::Int, true, 8}, facts[x.index].extent));
    CHECK(facts[kept.index].isProven);
    CHECK_FALSE(facts[cut.index].isProven);
    CHECK(facts[exact.index].isProven);
    CHECK_FALSE(facts[guarded.index].isProven);
}

TEST_CASE("what vector code and signed words need of expressions is data", "[codegen][plan]") {
    ir::Design design;
    test::ClassBuilder p(design, "p", 20);
    const ir::LocalId out = p.output("v", unsignedType(64), {integer(0)});
    const ir::ExprId x = p.read(p.input("x", unsignedType(64), {{0, 20, p.plane(), 0, 1}}));
    const ir::ExprId small = p.wrap(x, 5), large = p.wrap(x, 40);
    const ir::ExprId odd = p.op(ir::BinaryOp::And, small, p.number(1));
    const ir::ExprId isOdd = p.op(ir::BinaryOp::Ne, odd, p.number(0));
    const ir::ExprId isOne = p.op(ir::BinaryOp::Eq, odd, p.number(1));
    const ir::ExprId isEven = p.op(ir::BinaryOp::Eq, odd, p.number(0));
    const ir::ExprId isSet = p.op(ir::BinaryOp::Ne, small, p.number(0));
    const ir::ExprId sum = p.op(ir::BinaryOp::Sub, small, p.number(100));
    const ir::ExprId shifted = p.op(ir::BinaryOp::Shl, p.number(1), small);
    const ir::ExprId far = p.op(ir::BinaryOp::Shl, p.number(1), p.wrap(x, 7));
    for (const ir::ExprId value : {sum, shifted, p.wrap(far, 32), large})
        p.add(p.set(out, p.wrap(value, 64)));
    for (const ir::ExprId test : {isOdd, isOne, isEven, isSet})
        p.add({{}, ir::If{test, {p.set(out, p.number(1))}, {}}});
    p.finish();
    const Decided decided(std::move(design));
    const std::vector<ExprFacts>& facts = decided.program().classes[0].facts;
    CHECK(facts[small.index].laneBits == 8);
    CHECK(facts[sum.index].laneBits == 8);
    CHECK(facts[large.index].laneBits == 0);
    // of x or of its lowest bits
    for (const ir::ExprId test : {isOdd, isOne, isEven}) {
        CHECK(facts[test.index].tested == facts[isOdd.index].tested);
        CHECK(facts[test.index].isOddTested == (test != isEven));
    }
    CHECK(facts[isOdd.index].tested.valid());
    CHECK_FALSE(facts[isSet.index].tested.valid());
    CHECK(facts[sum.index].isProven);
    CHECK(facts[shifted.index].isProven);
    CHECK_FALSE(facts[far.index].isProven);
}

TEST_CASE("a counter that its loop's body alone reads is declared by the loop", "[codegen][plan]") {
    ir::Design design;
    test::ClassBuilder p(design, "p", 2);
    const ir::LocalId sum = p.state("sum", unsignedType(8));
    const auto counter = [&] { return p.temp("i", unsignedType(8)); };
    const auto loop = [&](ir::LocalId i, ir::Block body) {
        p.add({{}, ir::For{i, ir::LoopKind::Up, p.number(0), p.number(3), std::move(body), 4}});
    };
    const ir::LocalId own = counter(), nested = counter(), after = counter(), twice = counter(),
                      set = counter();
    loop(own, {p.set(sum, p.read(own))});
    loop(nested, {{{},
                   ir::If{p.op(ir::BinaryOp::Lt, p.read(sum), p.number(2)),
                          {p.set(sum, p.read(nested))},
                          {}}}});
    loop(after, {p.set(sum, p.read(after))});
    p.add(p.set(sum, p.read(after)));
    loop(twice, {p.set(sum, p.read(twice))});
    loop(twice, {p.set(sum, p.read(twice))});
    loop(set, {p.set(set, p.number(3)), p.set(sum, p.read(set))});
    p.finish();
    const Decided decided(std::move(design));
    const std::vector<LocalInfo>& locals = decided.program().classes[0].locals;
    CHECK(locals[own.index].declaredBy.valid());
    CHECK(locals[nested.index].declaredBy.valid());
    CHECK_FALSE(locals[after.index].declaredBy.valid());
    CHECK_FALSE(locals[twice.index].declaredBy.valid());
    CHECK_FALSE(locals[set.index].declaredBy.valid());
}

TEST_CASE("plans can be listed", "[codegen][plan][golden]") {
    const auto listed = [](ir::Design design) {
        return test::list(Decided(std::move(design)).program());
    };
    test::checkGolden("codegen/ring.plan.txt", listed(test::ring(8)));
    test::checkGolden("codegen/mesh.plan.txt", listed(test::mesh(24, true)));
    test::checkGolden("codegen/failing.plan.txt", listed(test::failing(9)));
    test::checkGolden("codegen/hetero.plan.txt", listed(test::hetero(3)));
}

TEST_CASE("the same design is decided alike", "[codegen][plan]") {
    const Decided once(test::hetero(200)), again(test::hetero(200));
    CHECK(test::list(once.program()) == test::list(again.program()));
    CHECK(once.program().data.bytes() == again.program().data.bytes());
}
