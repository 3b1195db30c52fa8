#include <catch2/catch.hpp>

#include "../lower/compile.h"
#include "plan/plan.h"

namespace {

/// `count` rings of a process and a combinational one, read by the `reach`-th neighbour.
std::string ring(const std::string& body, int reach, int count) {
    const std::string n = std::to_string(count);
    return "async proc driver(in a, out y, const c: u8) { " + body
           + " }\n"
             "proc reader(in x, out q, const c: u8) { q.n = x.v + c; }\n"
             "network top() { bus q["
           + n + "] { n: u8; }; bus r[" + n + "] { v: u8; };\ngenerate i = 0 until " + n
           + " { instance d[i] of driver(q[i], r[i], i % 5);\n"
             "instance s[i] of reader(r[(i + "
           + std::to_string(reach) + ") % " + n + "], q[i], i % 3); } }\n";
}

/// Whether the reader waits for the combinational process.
bool waits(const std::string& text) {
    const auto compiled = compile(text, false, true);
    for (const smec::ir::Input& input : compiled->cls("reader").inputs)
        for (const smec::ir::Connection& connection : input.elements)
            for (const smec::ir::Run& run : connection.runs)
                if (compiled->ir.planes[run.plane.index].combinational) return true;
    return false;
}

}  // namespace

TEST_CASE("cheap combinational processes are computed by their readers", "[passes][replicate]") {
    CHECK_FALSE(waits(ring("y.v = a.n * 3 + c;", 1, 20)));
    CHECK_FALSE(waits(ring("if (a.n > c) { y.v = 1; }", 7, 20)));
    CHECK_FALSE(waits(ring("switch a.n { case 1, 2 { y.v = c; } default { y.v = a.n; } }", 3, 4)));
}

TEST_CASE("what is merged, fails or costs much is not replicated", "[passes][replicate]") {
    CHECK(waits(ring("y.v = a.n * 3 + c;", 0, 20)));  // the plan merges it
    CHECK(waits(ring("assert(a.n < 100); y.v = a.n;", 1, 20)));
    CHECK(waits(ring("trace(\"{}\", a.n); y.v = a.n;", 1, 20)));
    CHECK(waits(ring("y.v = 100 / (a.n & c);", 1, 20)));
    CHECK(waits(ring("for i = 0 to 9 { if (a.n == i) { y.v = c; } }", 1, 20)));
    std::string sum = "y.v = a.n";
    for (int i = 3; i < 40; ++i)
        sum += " ^ (a.n * " + std::to_string(i) + ")";
    CHECK(waits(ring(sum + ";", 1, 20)));
}

TEST_CASE("a replica reads what its source reads", "[passes][replicate]") {
    const auto compiled = compile(ring("y.v = a.n * 3 + c;", 2, 10), false, true);
    const smec::ir::Class& reader = compiled->cls("reader");
    REQUIRE(reader.inputs.size() == 1);
    const auto& runs = reader.inputs[0].elements[0].runs;
    REQUIRE(runs.size() == 2);
    CHECK(runs[0].first == 0);
    CHECK(runs[0].count == 8);
    CHECK(runs[0].start == 2);
    CHECK(runs[0].stride == 1);
    CHECK(runs[1].first == 8);
    CHECK(runs[1].start == 0);
    CHECK(reader.columns.size() == 2);
}

TEST_CASE("a broadcast is replicated into every reader", "[passes][replicate]") {
    const std::string text = "async proc driver(in a, out y) { y.v = a.n + 1; }\n"
                             "proc reader(in x, out q) { q.n = x.v; }\n"
                             "network top() { bus q[9] { n: u8; }; bus r { v: u8; };\n"
                             "instance d of driver(q[3], r);\n"
                             "generate i = 0 until 9 { instance s[i] of reader(r, q[i]); } }\n";
    CHECK_FALSE(waits(text));
    const auto compiled = compile(text, false, true);
    CHECK(smec::plan::build(compiled->ir, {}).levels == 1);
    const auto& run = compiled->cls("reader").inputs[0].elements[0].runs[0];
    CHECK(run.start == 3);
    CHECK(run.stride == 0);
    CHECK(run.count == 9);
}
