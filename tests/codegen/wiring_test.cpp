// How connections reach their fields: runs, strides, broadcast, gather, array ports, undriven and
// combinational fields.

#include <catch2/catch.hpp>

#include <random>

#include "compile.h"
#include "designs.h"
#include "ir/analysis.h"

using namespace smec;
using test::contains;
using test::integer;
using test::unsignedType;
using enum ir::BinaryOp;

namespace {

std::string outputOf(const ir::Design& design, int cycles) {
    for (const std::string& problem : ir::verify(design))
        FAIL_CHECK(problem);
    const std::string arguments = std::to_string(cycles),
                      flags = "-w -O1 -fsanitize=undefined -fno-sanitize-recover";
    test::Build build(design);
    INFO(build.units());
    const test::Outcome whole = build.run("step.cpp", arguments, flags);
    CHECK(whole.status == 0);
    CHECK(whole.output
          == test::shell("cd " + build.folder() + " && ./sim " + arguments + " chunks").output);
    return whole.output;
}

/// n counters with distinct start values.
void addCounters(ir::Design& design, std::uint32_t n, bool combinational = false) {
    test::ClassBuilder p(design, combinational ? "wire" : "counter", n);
    std::vector<ir::Constant> initial;
    for (std::uint32_t i = 0; i < n; ++i)
        initial.push_back(integer(100 * i));
    const ir::LocalId out = p.output("v", unsignedType(32), initial, false, combinational);
    const ir::LocalId count = p.state("count", unsignedType(32), initial);
    p.add(p.set(out, p.wrap(p.op(Add, p.read(count), p.number(1)), 32)));
    p.add(p.set(count, p.read(out)));
    p.finish();
}

std::string line(const std::string& name, std::uint32_t i, std::uint64_t value) {
    return name + "[" + std::to_string(i) + "].v = " + std::to_string(value) + "\n";
}

/// n readers of one field each, `runs` into plane 0.
ir::Design readers(std::uint32_t n, std::vector<ir::Run> runs) {
    ir::Design design;
    design.name = "readers";
    addCounters(design, n);
    test::ClassBuilder p(design, "reader", n);
    const ir::LocalId out = p.output("v", unsignedType(32));
    p.add(p.set(out, p.read(p.input("x.v", unsignedType(32), std::move(runs)))));
    p.finish();
    return design;
}

}  // namespace

TEST_CASE("strides: broadcast, backwards, mixed", "[codegen][wiring]") {
    std::string output = outputOf(readers(40, {{0, 40, {0}, 3, 0}}), 2);
    contains(output, line("reader", 39, 301));
    output = outputOf(readers(40, {{0, 40, {0}, 39, -1}}), 2);
    contains(output, line("reader", 0, 3901));
    contains(output, line("reader", 39, 1));
    output = outputOf(readers(40, {{0, 20, {0}, 0, 2}, {20, 20, {0}, 39, -1}}), 2);
    contains(output, line("reader", 19, 3801));
    contains(output, line("reader", 20, 3901));
    contains(output, line("reader", 39, 2001));
}

TEST_CASE("irregular wiring goes through an index column", "[codegen][wiring]") {
    std::mt19937 random(5);
    std::vector<std::uint32_t> from(50);
    std::vector<ir::Run> runs;
    for (std::uint32_t i = 0; i < 50; ++i) {
        from[i] = random() % 50;
        runs.push_back({i, 1, {0}, from[i], 1});
    }
    const ir::Design design = readers(50, runs);
    const std::string output = outputOf(design, 2);
    for (std::uint32_t i = 0; i < 50; ++i)
        contains(output, line("reader", i, 100 * from[i] + 1));
    CHECK(test::Build(design).units().find("x_v_index[i]") != std::string::npos);
}

TEST_CASE("segments are joined across seams", "[codegen][wiring]") {
    constexpr std::uint32_t r = 24;
    const auto hasSeams = [](const ir::Design& design) {
        return test::Build(design).units().find("cell_seams(") != std::string::npos;
    };
    ir::Design design = test::mesh(r);
    REQUIRE(hasSeams(design));
    std::vector<std::uint32_t> now(r * r, 0), next(r * r);
    for (std::uint32_t i = 0; i < r * r; ++i)
        now[i] = i / r % 4 == 0 && i % r % 4 == 0 ? 0x01000000 : 0;
    for (int cycle = 0; cycle < 4; ++cycle) {
        for (std::uint32_t y = 0; y < r; ++y) {
            for (std::uint32_t x = 0; x < r; ++x)
                next[y * r + x] = (now[(y + r - 1) % r * r + x] + now[(y + 1) % r * r + x]
                                   + now[y * r + (x + 1) % r] + now[y * r + (x + r - 1) % r])
                                  >> 2;
        }
        std::swap(now, next);
    }
    const std::string output = outputOf(design, 4);
    for (std::uint32_t i = 0; i < r * r; ++i)
        contains(output,
                 "cell[" + std::to_string(i) + "].out.v = " + std::to_string(now[i]) + "\n");
    // What an instance at a seam remembers is as if it had run once.
    REQUIRE(hasSeams(test::mesh(r, true)));
    const std::string remembered = outputOf(test::mesh(r, true), 4);
    for (std::uint32_t i = 0; i < r * r; ++i) {
        const std::string cell = "cell[" + std::to_string(i) + "].";
        contains(remembered, cell + "out.v = " + std::to_string(now[i]) + "\n");
        contains(remembered, cell + "count = 4\n");
    }
}

TEST_CASE("long segments that go on nowhere take in the short ones beside them",
          "[codegen][wiring]") {
    constexpr std::uint32_t rows = 20, length = 32, n = rows * length;
    std::vector<ir::Run> runs;
    for (std::uint32_t row = 0; row < rows; ++row) {
        const std::uint32_t first = row * length;
        const std::uint32_t start = (row * 137 + 5) % (n - length);
        if (row % 3 == 0) {  // the last one lies elsewhere …
            runs.push_back({first, length - 1, {0}, 1, 1});
            runs.push_back({first + length - 1, 1, {0}, 7, 1});
        } else if (row % 3 == 1) {  // … the first two …
            runs.push_back({first, 2, {0}, 9, 1});
            runs.push_back({first + 2, length - 2, {0}, start + 2, 1});
        } else {  // … and three between the ends of the plane
            runs.push_back({first, length - 3, {0}, n - length + 3, 1});
            runs.push_back({first + length - 3, 3, {0}, 1, 1});
        }
    }
    const ir::Design design = readers(n, runs);
    const std::string units = test::Build(design).units(), output = outputOf(design, 2);
    for (const ir::Run& run : runs)
        for (std::uint32_t i = 0; i < run.count; ++i)
            contains(output, line("reader", run.first + i,
                                  100 * (static_cast<std::uint64_t>(run.start) + i) + 1));
    contains(units, "sme::rowsBefore(seams, 21, 3, ");
    contains(units, ", 26, 3, begin)");
}

TEST_CASE("segments of different planes are not joined", "[codegen][wiring]") {
    // Two classes of 32 counters, one after the other: a reader's segments would go on in the next
    // plane.
    ir::Design design;
    design.name = "planes";
    addCounters(design, 16);  // plane 0, 64 bytes
    addCounters(design, 32);  // plane 2
    test::ClassBuilder p(design, "reader", 64);
    const ir::LocalId out = p.output("v", unsignedType(32));
    const std::vector<ir::Run> runs{{0, 14, {0}, 0, 1}, {14, 2, {2}, 30, 1},  {16, 14, {2}, 0, 1},
                                    {30, 2, {0}, 3, 1}, {32, 14, {2}, 16, 1}, {46, 2, {0}, 9, 1},
                                    {48, 16, {2}, 5, 1}};
    p.add(p.set(out, p.read(p.input("x.v", unsignedType(32), runs))));
    p.finish();
    const std::string output = outputOf(design, 2);
    for (const ir::Run& run : runs)
        for (std::uint32_t i = 0; i < run.count; ++i)
            contains(output,
                     line("reader", run.first + i, 100 * (std::uint64_t(run.start) + i) + 1));
    const std::string units = test::Build(design).units();
    CHECK(units.find("{\n    0, 14, ") != std::string::npos);  // ends where its plane does
}

TEST_CASE("an array port with an element chosen at run time", "[codegen][wiring]") {
    for (const std::uint32_t n : {3U, 20U}) {
        ir::Design design;
        design.name = "select";
        addCounters(design, 20);
        test::ClassBuilder p(design, "mux", n);
        const ir::LocalId out = p.output("v", unsignedType(32));
        const ir::LocalId at = p.state("at", unsignedType(2));
        const auto x = p.input("x.v", unsignedType(32));
        auto& elements = p.cls().inputs[x].elements;
        elements.clear();
        for (std::uint32_t e = 0; e < 4; ++e)
            elements.push_back({{{0, n, {0}, e, 0}}});
        p.add(p.set(out, p.wrap(p.op(Add, p.read(x, p.read(at)), p.read(x, p.number(1))), 32)));
        p.add(p.set(at, p.wrap(p.op(Add, p.read(at), p.number(1)), 2)));
        p.finish();
        const std::string output = outputOf(design, 4);
        contains(output, line("mux", n - 1, 303 + 103));
    }
}

TEST_CASE("undriven, clocked and combinational fields behind one port", "[codegen][wiring]") {
    for (const std::uint32_t n : {2U, 30U}) {
        ir::Design design;
        design.name = "mix";
        addCounters(design, 30);        // plane 0 (1: its variable)
        addCounters(design, 30, true);  // plane 2, visible at once
        ir::Plane undriven;
        undriven.name = "u";
        undriven.kind = ir::PlaneKind::Undriven;
        undriven.type = unsignedType(32);
        undriven.initial.values = {integer(77)};
        design.planes.push_back(undriven);  // plane 4
        test::ClassBuilder p(design, "reader", n);
        const ir::LocalId out = p.output("v", unsignedType(32));
        std::vector<ir::Run> runs;
        for (std::uint32_t i = 0; i < n; ++i) {
            if (i % 3 == 0) runs.push_back({i, 1, {0}, i, 1});
            if (i % 3 == 1) runs.push_back({i, 1, {2}, i, 1});
            if (i % 3 == 2) runs.push_back({i, 1, {4}, 0, 0});
        }
        p.add(p.set(out, p.read(p.input("x.v", unsignedType(32), runs))));
        p.finish();
        const std::string output = outputOf(design, 3);
        contains(output, line("reader", 0, 2));
        contains(output, line("reader", 1, 103));
        if (n > 2) contains(output, line("reader", 29, 77));
    }
}

TEST_CASE("chains of one combinational class run in topological order", "[codegen][wiring]") {
    for (const std::uint32_t n : {3U, 64U}) {
        ir::Design design;
        design.name = "chain";
        addCounters(design, 1);
        test::ClassBuilder p(design, "link", n);
        const ir::LocalId out = p.output("v", unsignedType(32), {integer(0)}, false, true);
        // From the last to the first: instance i reads i + 1.
        const auto x =
            p.input("x.v", unsignedType(32), {{0, n - 1, p.plane(), 1, 1}, {n - 1, 1, {0}, 0, 1}});
        p.add(p.set(out, p.wrap(p.op(Add, p.read(x), p.number(1)), 32)));
        p.finish();
        const std::string output = outputOf(design, 5);
        // The harness prints the slot last written: what was seen in cycle 4.
        contains(output, line("link", n - 1, 5));
        contains(output, line("link", 0, 4 + n));
    }
}

TEST_CASE("loops that do the same share their inner function", "[codegen][wiring]") {
    ir::Design design;
    design.name = "twins";
    addCounters(design, 20);
    for (const std::uint32_t added : {1U, 1U, 2U}) {
        test::ClassBuilder p(design, "twin", 20);
        const ir::LocalId out = p.output("v", unsignedType(32), {integer(0)});
        const auto x = p.input("x.v", unsignedType(32), {{0, 20, {0}, 0, 1}});
        p.add(p.set(out, p.wrap(p.op(Add, p.read(x), p.number(added)), 32)));
        p.finish();
    }
    const std::string text = test::Build(design).units();
    const auto count = [&](const std::string& part) {
        std::size_t found = 0;
        for (std::size_t at = text.find(part); at != std::string::npos;
             at = text.find(part, at + 1))
            ++found;
        return found;
    };
    CHECK(count("SME_LOOP void twin") == 2);
    CHECK(count("void twin(") + count("void twin_2(") + count("void twin_3(") == 3);
    const std::string output = outputOf(design, 3);
    contains(output, line("twin", 0, 3));
    contains(output, line("twin", 0, 4));
}
