#include <catch2/catch.hpp>

#include "compile.h"
#include "designs.h"
#include "ir/analysis.h"

using namespace smec;
using test::contains;

namespace {

/// Runs as a whole and in pieces from the end: both must say the same.
std::string runOutput(const ir::Design& design, int cycles, const plan::Options& options = {}) {
    for (const std::string& problem : ir::verify(design))
        FAIL_CHECK(problem);
    test::Build build(design, options);
    INFO(build.units());
    const test::Outcome whole = build.run("step.cpp", std::to_string(cycles),
                                          "-O1 -fsanitize=undefined -fno-sanitize-recover");
    const test::Outcome chunks =
        test::shell("cd " + build.folder() + " && ./sim " + std::to_string(cycles) + " chunks");
    CHECK((whole.status == 0 || whole.status == 1));
    CHECK(whole.output == chunks.output);
    return whole.output;
}

}  // namespace

TEST_CASE("a ring passes its token on", "[codegen][run]") {
    const std::string output = runOutput(test::ring(100), 3);
    contains(output, "add[3].out.v = 12348\n");
    contains(output, "add[4].out.v = 3\n");
    contains(output, "add[2].out.v = 3\n");
}

TEST_CASE("straight-line code and loops agree", "[codegen][run]") {
    plan::Options straight;
    straight.loopThreshold = 1000;
    straight.blockStatements = 40;
    const std::string loops = runOutput(test::ring(10), 7);
    CHECK(loops == runOutput(test::ring(10), 7, straight));
    for (const std::uint32_t r : {8U, 24U})  // gathered; segments with seams
        CHECK(runOutput(test::mesh(r), 5) == runOutput(test::mesh(r), 5, straight));
}

TEST_CASE("a failing check keeps what was written before it", "[codegen][run]") {
    const std::string output = runOutput(test::failing(9), 20);
    contains(output, "trace 5 watch[4] count {} of {} 1:0:6 1:0:5\n");
    contains(output, "fail 5 watch[4] kind 0\n");
    contains(output, "watch[4].out.v = 6\n");
    contains(output, "watch[4].late.v = 9\n");
    contains(output, "watch[5].late.v = 1\n");
    contains(output, "watch[4].count = 6\n");
}

TEST_CASE("hetero is the same however it is cut", "[codegen][run]") {
    plan::Options small;
    small.blockStatements = 30;
    small.unitStatements = 100;
    CHECK(runOutput(test::hetero(40), 50) == runOutput(test::hetero(40), 50, small));
}
