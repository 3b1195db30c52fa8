#include <catch2/catch.hpp>

#include "../lower/compile.h"
#include "passes/passes.h"
#include "passes/renumber.h"
#include "passes/wires.h"

namespace {

using namespace smec;

/// A torus of 8 × 16 cells, of which those where `isOther` holds are of process `other`. What it
/// shows says much of the state.
std::string torus(const std::string& cell, const std::string& other, const std::string& isOther) {
    const std::string head = "(in n, in w, const k: u8) bus o { v: u16 = k; }; ";
    const std::string tail = "(p[(y + 7) % 8][x].o, p[y][(x + 15) % 16].o, x + y);";
    return "proc cell" + head + cell + "\nproc other" + head + other
           + "\nproc show(in a, in b) { trace(\"{} {}\", a.v, b.v); }\nnetwork top() {\n"
             "generate y = 0 until 8 { generate x = 0 until 16 {\n generate if ("
           + isOther + ") { instance p[y][x] of other" + tail + " } else { instance p[y][x] of cell"
           + tail
           + " }\n} }\n"
             "generate i = 0 until 8 { instance s[i] of show(p[i][3].o, p[(i * 3) % 8][4 + i].o); "
             "}\n}\n";
}

std::size_t mostRuns(const ir::Class& cls) {
    std::size_t most = 0;
    for (const ir::Input& input : cls.inputs)
        for (const ir::Connection& connection : input.elements)
            most = std::max(most, connection.runs.size());
    return most;
}

bool behavesAsBefore(const std::string& text) {
    const std::string output = runBoth(text, 9);
    INFO(output);
    return output.find("passes changed") == std::string::npos
           && output.find("broken") == std::string::npos;
}

bool has(const ir::Design& design, const std::string& name) {
    return std::any_of(design.classes.begin(), design.classes.end(),
                       [&](const ir::Class& cls) { return cls.name == name; });
}

}  // namespace

TEST_CASE("kinds that differ in constants become a class with a column", "[passes][interleave]") {
    const std::string text = torus("{ o.v = n.v * 3 + (w.v >> 1) + k; }",
                                   "{ o.v = n.v * 5 + (w.v >> 2) + k; }", "x % 4 == 2");
    const auto c = compile(text, false, true);
    REQUIRE(!has(c->ir, "other"));
    const ir::Class& cell = c->cls("cell");
    CHECK(cell.instances == 128);
    CHECK(cell.columns.size() == 3);
    CHECK(cell.body.statements.size() == 1);
    CHECK(mostRuns(cell) <= 16);
    // in source order, the first row of names says so
    CHECK(c->ir.planes[cell.outputs[0].plane.index].initial.values[17]
          == ir::Constant{ir::Integer(2)});
    CHECK(behavesAsBefore(text));
}

TEST_CASE("kinds whose bodies differ become a class that chooses", "[passes][interleave]") {
    const std::string text =
        torus("{ o.v = n.v * 3 + w.v + k; }",
              "var s: u8 = 3; { s = s + 1; if (w.v[0]) { o.v = w.v ^ s; } }", "x % 4 == 2");
    const auto c = compile(text, false, true);
    REQUIRE(!has(c->ir, "other"));
    const ir::Class& cell = c->cls("cell");
    CHECK(cell.instances == 128);
    CHECK(cell.inputs.size() == 2);
    CHECK(cell.state.size() == 1);
    CHECK(mostRuns(cell) <= 16);
    CHECK(behavesAsBefore(text));
}

TEST_CASE("kinds that may fail become a class with the checks of all", "[passes][interleave]") {
    const std::string body = "{ assert(n.v != 7, \"cell {}\", k); o.v = n.v * 3 + w.v + k; }";
    const std::string text = torus(
        body, "{ assert(w.v < 65000, \"{} {}\", w.v, k); o.v = n.v * 5 + w.v; }", "x % 4 == 2");
    const auto c = compile(text, false, true);
    REQUIRE(!has(c->ir, "other"));
    const ir::Class& cell = c->cls("cell");
    CHECK(cell.instances == 128);
    CHECK(cell.body.fails.size() == 2);
    CHECK(behavesAsBefore(text));
    // equal, but for the places that reports name
    const auto alike = compile(torus(body, body, "x % 4 == 2"), false, true);
    REQUIRE(!has(alike->ir, "other"));
    CHECK(alike->cls("cell").body.fails.size() == 2);
}

TEST_CASE("kinds that stand by themselves, or that say something, stay apart",
          "[passes][interleave]") {
    const std::string body = "{ o.v = n.v * 3 + w.v + k; }", other = "{ o.v = n.v * 5 + w.v + k; }";
    const std::string apart = torus(body, other, "y == 3");
    CHECK(has(compile(apart, false, true)->ir, "other"));
    CHECK(behavesAsBefore(apart));
    const std::string talks =
        torus(body, "{ o.v = n.v; if (w.v == 77) { trace(\"77\"); } }", "x % 4 == 2");
    CHECK(has(compile(talks, false, true)->ir, "other"));
    CHECK(behavesAsBefore(talks));
}

TEST_CASE("kinds that were merged stand in source order before others follow them",
          "[passes][interleave]") {
    // every second cell is of one of three kinds, which take turns
    std::string text = torus("{ o.v = n.v * 3 + w.v + k; }", "{ o.v = n.v * 5 ^ w.v; }",
                             "(x + y) % 2 == 1 && (x + y) / 2 % 3 == 0");
    const std::string head = "(in n, in w, const k: u8) bus o { v: u16 = k; }; ";
    text += "proc third" + head + "{ o.v = (n.v & w.v) + k; }\nproc fourth" + head
            + "{ o.v = n.v - (w.v >> 1); }\n";
    const std::string cell = "{ instance p[y][x] of cell(";
    const std::size_t at = text.find(cell), end = text.find('}', at);
    const std::string last = text.substr(at, end + 1 - at);
    const auto of = [&](const char* name) {
        return "{ instance p[y][x] of " + (name + last.substr(cell.size() - 1));
    };
    text.replace(at, end + 1 - at,
                 "{ generate if ((x + y) % 2 == 1 && (x + y) / 2 % 3 == 1) " + of("third")
                     + " else { generate if ((x + y) % 2 == 1) " + of("fourth") + " else " + last
                     + " } }");
    const auto c = compile(text, false, true);
    REQUIRE(!has(c->ir, "third"));
    REQUIRE(!has(c->ir, "fourth"));
    for (const char* name : {"cell", "other"}) {
        const std::vector<ir::InstanceRun>& names = c->cls(name).runs;
        CHECK(std::is_sorted(
            names.begin(), names.end(),
            [](const ir::InstanceRun& a, const ir::InstanceRun& b) { return a.order < b.order; }));
    }
    CHECK(behavesAsBefore(text));
}

TEST_CASE("instances of tiles are put side by side", "[passes][interleave]") {
    const std::string text =
        "proc cell(in n, in w, const k: u8) bus o { v: u16 = k; }; var s: u8 = k;\n"
        "{ s = s + 3; o.v = n.v + (w.v << 1) + s; }\n"
        "network tile([3] in n, [3] in w, const k: uint) {\n"
        "generate i = 0 until 3 { generate j = 0 until 3 {\n"
        "  instance p[i][j] of cell(i == 0 ? n[j] : p[i - 1][j].o, j == 0 ? w[i] : p[i][j - 1].o, "
        "k + i); } } }\n"
        "proc show(in a) { trace(\"{}\", a.v); }\n"
        "network top() { generate y = 0 until 4 { generate x = 0 until 8 {\n"
        "  instance t[y][x] of tile([t[(y + 3) % 4][x].p[2][0].o, t[(y + 3) % 4][x].p[2][1].o, "
        "t[(y + 3) % 4][x].p[2][2].o], [t[y][(x + 7) % 8].p[0][2].o, t[y][(x + 7) % 8].p[1][2].o, "
        "t[y][(x + 7) % 8].p[2][2].o], y * 8 + x);\n"
        "  instance s[y][x] of show(t[y][x].p[1][2].o); } } }\n";
    const auto before = compile(text), after = compile(text, false, true);
    CHECK(mostRuns(before->cls("cell")) > 100);
    CHECK(mostRuns(after->cls("cell")) <= 24);
    CHECK(behavesAsBefore(text));
}

TEST_CASE("the order of instances follows a wire", "[passes][interleave]") {
    using passes::Source;
    // two rows of four, numbered in pairs: 0 1 4 5 / 2 3 6 7
    const passes::Order rows{0, 1, 4, 5, 2, 3, 6, 7};
    passes::Wire east(8), below(8);
    for (std::uint32_t i = 0; i < 8; ++i) {
        east[rows[i]] = {Source::Kind::Inside, 0, rows[i / 4 * 4 + (i + 1) % 4]};
        below[rows[i]] = {Source::Kind::Inside, 0, rows[(i + 4) % 8]};
    }
    CHECK(passes::bestOrder({east, below}, {0, 1, 2, 3, 4, 5, 6, 7}) == rows);
    CHECK(passes::breaks({east, below}, rows)
          < passes::breaks({east, below}, {0, 1, 2, 3, 4, 5, 6, 7}));
    CHECK(passes::inverse(rows) == passes::Order{0, 1, 4, 5, 2, 3, 6, 7});
}

TEST_CASE("what lists instances follows their numbers", "[passes][interleave]") {
    const std::string text =
        "proc a(in x, const k: u8) var s: u8 = k; bus o { v: u8 = k; }; { s = s + x.v; o.v = s + "
        "k; }\n"
        "proc show(in x) { trace(\"{}\", x.v); }\n"
        "network top() { generate i = 0 until 6 { instance p[i] of a(p[(i + 5) % 6].o, i * 7); "
        "instance q[i] of show(p[i].o); } }\n";
    const auto c = compile(text), moved = compile(text);
    passes::Renumberer renumberer(moved->ir);
    for (std::uint32_t i = 0; i < moved->ir.classes.size(); ++i)
        if (moved->ir.classes[i].name == "a") {
            renumberer.apply({i}, {0, 3, 1, 4, 2, 5});
            renumberer.apply({i}, {5, 4, 3, 2, 1, 0});
        }
    CHECK(renumberer.finish());
    CHECK(ir::verify(moved->ir).empty());
    CHECK(simulation::Simulator(moved->ir).run(7) == simulation::Simulator(c->ir).run(7));
    const ir::Class& a = moved->cls("a");
    CHECK(a.runs.front().index == 5);
    std::size_t names = 0;
    for (const ir::NameRun& run : moved->ir.names) {
        if (!run.variable) continue;
        names += run.count;
        const ir::InitialData& initial = moved->ir.planes[run.plane.index].initial;
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const auto at = static_cast<std::size_t>(run.start + std::int64_t(i) * run.stride);
            CHECK(initial.values[at] == ir::Constant{ir::Integer((run.index + i) * 7)});
        }
    }
    CHECK(names == 6);
}
