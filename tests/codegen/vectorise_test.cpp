#include <catch2/catch.hpp>

#include "compile.h"
#include "designs.h"

using namespace smec;

namespace {

bool vectorises(const ir::Design& design) {
    test::Build build(design);
    const test::Outcome outcome = build.compile("-O2 -fopt-info-vec");
    INFO(outcome.output);
    INFO(build.units());
    REQUIRE(outcome.status == 0);
    return outcome.output.find("loop vectorized") != std::string::npos;
}

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
}
