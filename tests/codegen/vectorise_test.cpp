#include <catch2/catch.hpp>

#include <set>
#include <sstream>

#include "compile.h"
#include "designs.h"

using namespace smec;

namespace {

/// Loops of the units that became vector code.
std::size_t vectorLoops(const ir::Design& design) {
    test::Build build(design);
    const test::Outcome outcome = build.compile("-O2 -fopt-info-vec");
    INFO(outcome.output);
    INFO(build.units());
    REQUIRE(outcome.status == 0);
    std::istringstream lines(outcome.output);
    std::set<std::string> places;
    for (std::string line; std::getline(lines, line);)
        if (line.find("loop vectorized") != std::string::npos)
            places.insert(line.substr(0, line.find(": optimized")));
    return places.size();
}

bool vectorises(const ir::Design& design) { return vectorLoops(design) > 0; }

/// Narrow arithmetic with a compare-select, a column and a variable.
ir::Design narrow(std::uint32_t n) {
    ir::Design design;
    design.name = "narrow";
    test::ClassBuilder p(design, "p", n);
    const ir::LocalId out = p.output("y.v", test::unsignedType(8));
    const ir::LocalId valid = p.output("y.valid", test::boolType());
    const ir::LocalId acc = p.state("acc", test::unsignedType(8));
    const auto x = p.input("x.v", test::unsignedType(8), {{0, n, p.plane(), 0, 1}});
    const ir::ExprId gain = p.column("gain", {ir::ScalarKind::Int, false, 8},
                                     std::vector<ir::Constant>(n, test::integer(3)), {0, 255});
    const ir::ExprId sum = p.op(ir::BinaryOp::Add, p.read(x), gain);
    const ir::ExprId isLarge = p.op(ir::BinaryOp::Lt, p.number(100), sum);
    p.add(p.set(acc, p.wrap(p.op(ir::BinaryOp::Add, p.read(acc), sum), 8)));
    p.add(p.set(
        out, p.wrap(p.b().select(isLarge, p.op(ir::BinaryOp::Sub, sum, p.number(100)), sum), 8)));
    p.add(p.set(valid, isLarge));
    p.finish();
    return design;
}

/// The low bit of a u32 chooses between u8s.
ir::Design chosenByLowBit(std::uint32_t n) {
    ir::Design design;
    design.name = "chosen";
    test::ClassBuilder p(design, "p", n);
    const ir::LocalId out = p.output("y.v", test::unsignedType(32));
    const ir::LocalId at = p.state("at", test::unsignedType(8));
    const ir::ExprId x = p.read(p.input("x.v", test::unsignedType(32), {{0, n, p.plane(), 0, 1}}));
    const ir::ExprId isOdd = p.op(ir::BinaryOp::Ne, p.wrap(x, 1), p.number(0));
    p.add(p.set(at, p.b().select(isOdd, p.wrap(p.op(ir::BinaryOp::Add, p.read(at), p.number(1)), 8),
                                 p.read(at))));
    p.add(p.set(out, p.wrap(p.op(ir::BinaryOp::Add, x, p.number(1)), 32)));
    p.finish();
    return design;
}

/// Rounds of a float whose next value is one of two.
ir::Design floatsInRounds(std::uint32_t n) {
    ir::Design design;
    design.name = "rounds";
    const ir::StorageType f32{{ir::ScalarKind::F32, false, 32}, 0};
    test::ClassBuilder p(design, "p", n);
    const ir::LocalId out = p.output("y.v", f32, {ir::Constant{0.0}});
    const ir::LocalId t = p.temp("t", f32);
    const ir::LocalId i = p.temp("i", test::unsignedType(8));
    const auto x = p.input("x.v", f32, {{0, n, p.plane(), 0, 1}});
    const auto number = [&](double value) {
        return p.b().add({ir::ExprType::F32, ir::ConstFloat{value}});
    };
    p.add(p.set(t, p.read(x)));
    const ir::ExprId less = p.op(ir::BinaryOp::FLt, p.read(t), number(1));
    const auto times = [&](double factor) {
        return p.b().add(
            {ir::ExprType::F32, ir::Binary{ir::BinaryOp::FMul, p.read(t), number(factor)}});
    };
    const ir::ExprId next =
        p.b().add({ir::ExprType::F32, ir::Select{less, times(700), times(0.5)}});
    ir::Block rounds;
    rounds.push_back(p.set(t, next));
    p.add({{}, ir::For{i, ir::LoopKind::Up, p.number(1), p.number(100), std::move(rounds), 100}});
    p.add(p.set(out, p.read(t)));
    p.finish();
    return design;
}

/// Narrow arithmetic with a check in its middle.
ir::Design checked(std::uint32_t n) {
    ir::Design design;
    design.name = "checked";
    test::ClassBuilder p(design, "p", n);
    const ir::LocalId out = p.output("y.v", test::unsignedType(8));
    const ir::LocalId acc = p.state("acc", test::unsignedType(16));
    const ir::ExprId x = p.read(p.input("x.v", test::unsignedType(8), {{0, n, p.plane(), 0, 1}}));
    const auto fail = p.failSite(ir::FailureKind::Assertion, "too large");
    p.add(p.set(acc, p.wrap(p.op(ir::BinaryOp::Add, p.read(acc), x), 16)));
    p.add({{}, ir::Check{p.op(ir::BinaryOp::Lt, p.read(acc), p.number(40'000)), fail, {}}});
    p.add(p.set(out, p.wrap(p.read(acc), 8)));
    p.finish();
    return design;
}

}  // namespace

TEST_CASE("the ring's loop is vectorised at -O2", "[codegen][vector]") {
    CHECK(vectorises(test::ring(1000)));
}

TEST_CASE("the torus' loop is vectorised", "[codegen][vector]") {
    CHECK(vectorises(test::mesh(16)));
}

TEST_CASE("narrow arithmetic is vectorised", "[codegen][vector]") {
    CHECK(vectorises(test::ring(1000, 8)));
    CHECK(vectorises(narrow(1000)));
    CHECK(vectorises(chosenByLowBit(1000)));
}

TEST_CASE("loops around rounds of floats are vectorised", "[codegen][vector]") {
    CHECK(vectorises(floatsInRounds(1000)));
}

TEST_CASE("checks are looked at ahead, in lanes, and so is the rest", "[codegen][vector]") {
    CHECK(vectorLoops(checked(1000)) == 2);
    CHECK(vectorLoops(checked(8)) == 0);  // too few to be worth it
}
