#include <catch2/catch.hpp>

#include "../lower/compile.h"
#include "ir/border.h"
#include "ir/hash.h"
#include "ir/visit.h"

namespace {

std::unique_ptr<Compiled> ring(const std::string& functions, const std::string& declarations,
                               const std::string& body, int count = 20) {
    const std::string n = std::to_string(count);
    return compile(functions + " proc p(in x, out y, const k: u8) " + declarations + " { " + body
                       + " }\nnetwork top() { bus b[" + n + "] { v: u8; w: u8; };\nbus a[" + n
                       + "] { r: [2]u8; };\n"
                         "generate i = 0 until "
                       + n + " { instance q[i] of p(b[(i + 1) % " + n + "], b[i], i % 3); } }\n",
                   false, true);
}

/// Whether nothing but assignments and checks of scalars is left.
bool isFlat(const std::string& functions, const std::string& declarations, const std::string& body,
            int count = 20) {
    const auto compiled = ring(functions, declarations, body, count);
    const smec::ir::Body& left = compiled->cls("p").body;
    bool flat = true;
    for (const smec::ir::Local& local : left.locals)
        flat = flat && !local.type.isArray();
    smec::ir::forEachStmt(left.statements, [&](const smec::ir::Stmt& stmt) {
        flat = flat
               && (std::holds_alternative<smec::ir::Set>(stmt.node)
                   || std::holds_alternative<smec::ir::Check>(stmt.node));
    });
    return flat;
}

const char* const kFirst =
    "func first(a: [4]u8, x: u8): u3 { for i = 0 until 4 { if (a[i] == x) { return i; } } "
    "return 4; }";

}  // namespace

TEST_CASE("small functions, loops and arrays become straight code", "[passes][lanes]") {
    CHECK(isFlat("", "var m: [4]u8;", "m[x.v[1:0]] = 1; y.v = m[0];"));
    CHECK(isFlat("", "var m: [4]u8;", "if (x.v > k) { m[1] = m[x.v[1:0]]; } y.v = m[1];"));
    CHECK(isFlat("", "", "for i = 0 until 4 { y.v = y.v * 3 + x.v; }"));
    CHECK(isFlat("", "", "for i = 3 to 0 { if (x.v[i]) { y.v = i; break; } }"));
    CHECK(isFlat("", "", "for i = 0 to 3 { if (i == k) { continue; } y.v = y.v + i; }"));
    CHECK(isFlat(kFirst, "var m: [4]u8;", "y.v = first(m, x.v); m[x.v[1:0]] = k;"));
    CHECK(isFlat(kFirst, "var m: [4]u8; var p: u3;", "p = first(m, k); if (p < 4) { m[p] = 0; }"));
    CHECK(isFlat("func f(x: u8): u8 { if (x > 9) { if (x < 20) { return 3; } } return x; }"
                 "func g(x: u8): u8 { return f(x) + f(x * 2); }",
                 "", "y.v = g(x.v);"));
    CHECK(isFlat(
        "func turned(a: [3]u8): [3]u8 { var b: [3]u8; for i = 0 until 3 { b[i] = a[2 - i]; } "
        "return b; }",
        "var m: [3]u8;", "m[0] = x.v; m = turned(m); y.v = m[1];"));
    CHECK(isFlat("", "var m: [3]u8; var n: u8;", "n = x.v[3:0]; m[n] = 1; y.v = m[2];"));
}

TEST_CASE("what would be too much stays as it is", "[passes][lanes]") {
    CHECK_FALSE(isFlat("", "var m: [4]u8;", "m[x.v[1:0]] = 1; y.v = m[0];", 5));
    CHECK_FALSE(isFlat("", "var m: [17]u8;", "m[x.v[3:0]] = 1; y.v = m[0];"));
    CHECK_FALSE(isFlat("", "", "for i = 0 to 16 { y.v = y.v * 3 + x.v; }"));
    CHECK_FALSE(isFlat("", "", "for i = 0 to k { y.v = y.v * 3 + x.v; }"));
    CHECK_FALSE(isFlat("func f(x: u8): u8 { trace(\"{}\", x); return 1; }", "", "y.v = f(x.v);"));
    CHECK_FALSE(isFlat("func f(x: u8): u8 { return x / 3; }", "", "y.v = f(x.v);"));
    CHECK_FALSE(isFlat("", "var c: u8;", "c = x.v; while (c > 3) { c = c - 3; } y.v = c;"));
}

TEST_CASE("the states of a process that waits become a sequence", "[passes][lanes]") {
    CHECK(isFlat("", "", "y.v = 1; wait; y.v = 2; wait 3;"));
    CHECK(isFlat("", "", "wait k + 1; while (true) { y.v = x.v; wait until (x.v > 3); }"));
    CHECK(
        isFlat("", "var c: u8;",
               "for i = 0 until 100 { if (x.v > i) { c = i; wait 2; } else { wait; } y.v = c; }"));
    CHECK(isFlat("", "var c: u8;",
                 "while (true) { switch x.v[1:0] { case 0 { wait; } case 1 { c = 3; } default { "
                 "wait 4; } } y.v = c; wait; }"));

    // An activation may go round in a circle: how often is not known.
    CHECK_FALSE(isFlat("", "var c: u8;", "while (c < 200) { c = c + 1; if (x.v > c) { wait; } }"));
    CHECK_FALSE(isFlat("", "", "trace(\"{}\", x.v); wait;"));
    CHECK_FALSE(isFlat("", "", "y.v = 1; wait; y.v = 2; wait 3;", 5));
}

TEST_CASE("rounds that are no longer counted are told", "[passes][lanes]") {
    const auto rounds = [](const std::string& body) {
        return ring("", "", body)->ir.uncountedRounds;
    };
    CHECK(rounds("y.v = 1; wait;") == 0);
    CHECK(rounds("while (true) { y.v = 1; wait; }") == 1);
    CHECK(rounds("while (true) { for i = 0 until 3 { y.v = i; wait; } }") == 2);
    CHECK(rounds("while (true) { for i = 0 until 3 { for j = 0 until 2 { y.v = j; wait; } } }")
          == 3);
    CHECK(rounds("while (true) { wait; } while (true) { wait; }") == 1);
}

TEST_CASE("the elements of a variable get planes, and it keeps its name", "[passes][lanes]") {
    const auto compiled = ring("", "var m: [2][2]u8 = [[1, 2], [3, 4]]; var c: u8;",
                               "c = c + 1; m[u1(x.v[0])][u1(x.v[1])] = c; y.v = m[1][0];");
    const smec::ir::Class& cls = compiled->cls("p");
    REQUIRE(cls.state.size() == 5);
    for (std::size_t i = 0; i < 4; ++i) {
        const smec::ir::Plane& plane = compiled->ir.planes[cls.state[i].index];
        CHECK_FALSE(plane.type.isArray());
        CHECK(plane.initial.values == std::vector<smec::ir::Constant>{{smec::ir::Integer(i + 1)}});
    }
    CHECK(compiled->ir.planes[cls.state[2].index].name == "m[1][0]");
    std::size_t found = 0;
    for (const smec::ir::NameRun& run : compiled->ir.names) {
        if (run.plane != cls.state[0]) continue;
        ++found;
        REQUIRE(run.leaves.size() == 1);
        CHECK(run.leaves[0].elements
              == std::vector<smec::ir::PlaneId>(cls.state.begin(), cls.state.begin() + 4));
        REQUIRE(run.shape);
        CHECK(compiled->ir.shapes[*run.shape].count == 2);
    }
    CHECK(found == 1);
}

TEST_CASE("the border of a sheet", "[ir][lanes]") {
    const auto compiled = compile(
        "proc p(in n, in w, out o) { o.v = n.v + w.v; }\n"
        "network top() { bus s[6][6] { v: u8 = 3; }; generate y = 1 until 6 { generate x = 1 until "
        "6 { instance c[y][x] of p(s[y - 1][x], s[y][x - 1], s[y][x]); } } }\n");
    const smec::ir::Class& cls = compiled->cls("p");
    const auto north = smec::ir::borderOf(compiled->ir, cls.inputs[0], cls.inputs[0].elements[0]);
    REQUIRE(north);
    CHECK(north->first == -5);
    CHECK(north->stride == 1);
    CHECK(north->value == smec::ir::Constant{smec::ir::Integer(3)});
    const auto west = smec::ir::borderOf(compiled->ir, cls.inputs[1], cls.inputs[1].elements[0]);
    REQUIRE(west);
    CHECK(west->first == -1);
}

TEST_CASE("a ring has no border", "[ir][lanes]") {
    const auto compiled = ring("", "", "y.v = x.v;");
    const smec::ir::Class& cls = compiled->cls("p");
    CHECK_FALSE(smec::ir::borderOf(compiled->ir, cls.inputs[0], cls.inputs[0].elements[0]));
}

namespace {

/// Of the variable `m` of each of 20 processes.
smec::ir::LocalForm formOfArray(const std::string& declarations, const std::string& body) {
    const auto compiled = ring("", declarations, body);
    for (const smec::ir::Local& local : compiled->cls("p").body.locals)
        if (local.name == "m") return local.form;
    return smec::ir::LocalForm::Own;  // taken apart
}

}  // namespace

TEST_CASE("arrays at indices that all instances share lie element by element", "[passes][lanes]") {
    using smec::ir::LocalForm;
    const std::string ring16 = "var m: [16]u8; var at: u4;";
    CHECK(formOfArray(ring16, "m[at] = x.v; y.v = m[u4(at + 5)]; at = at + 1;")
          == LocalForm::Spread);
    CHECK(formOfArray(ring16, "if (x.v > k) { m[at] = x.v; } y.v = m[at]; at = at + 3;")
          == LocalForm::Spread);
    CHECK(formOfArray(ring16, "var t: u4 = at ^ 3; m[t] = x.v; y.v = m[at]; "
                              "if (m[2] > k) { y.w = 1; } if (at > 7) { at = 0; } else { at = t; }")
          == LocalForm::Spread);
    CHECK(formOfArray("var m: [5]u8; var at: uint range 0 to 4;",
                      "y.v = m[at]; m[at] = x.v; at = at == 4 ? 0 : at + 1; assert(x.v < 200);")
          == LocalForm::Spread);

    // an index that depends on what differs
    CHECK(formOfArray(ring16, "m[at] = x.v; y.v = m[at]; at = at + x.v[0:0];") == LocalForm::Own);
    CHECK(formOfArray(ring16, "m[at] = x.v; y.v = m[x.v[3:0]]; at = at + 1;") == LocalForm::Own);
    CHECK(formOfArray(ring16, "m[at] = x.v; y.v = m[at]; if (x.v > 3) { at = at + 1; }")
          == LocalForm::Own);
    CHECK(formOfArray("var m: [16]u8; var at: u4 = u4(k);", "m[at] = x.v; y.v = m[1]; at = at + 1;")
          == LocalForm::Own);
    // a check of what the array holds
    CHECK(formOfArray(ring16, "m[at] = x.v; assert(m[3] < 200); at = at + 1;") == LocalForm::Own);
    // the whole array, or more than a few elements
    CHECK(formOfArray(ring16 + " var n: [16]u8;", "m[at] = x.v; n = m; y.v = n[3]; at = at + 1;")
          == LocalForm::Own);
    CHECK(formOfArray("var m: [257]u8; var at: u8;", "m[at] = x.v; y.v = m[1]; at = at + 1;")
          == LocalForm::Own);
}

TEST_CASE("options choose bodies, and leave the hashes by which states go", "[passes][lanes]") {
    const std::string body = "last[1] = x.v; wait; if (x.v > k) { y.v = last[0]; } wait; ";
    const auto lowered =
        compile("proc p(in x, out y, const k: u8) { var last: [4]u8 = [1, 2, 3, 4]; " + body
                    + "last[x.v & 3] = k; y.v = last[2]; }\nnetwork top() { bus b[20] { v: u8; };\n"
                      "generate i = 0 until 20 { instance q[i] of p(b[(i + 1) % 20], b[i], i % 3); "
                      "} }\n",
                false, false);
    smec::ir::Design lanes = lowered->ir, plain = lowered->ir;
    smec::passes::run(lanes, {.lanes = true});
    smec::passes::run(plain, {.lanes = false});
    CHECK(hashOf(lanes) != hashOf(plain));
    CHECK(identityOf(lanes) == identityOf(plain));
    CHECK(identityOf(lanes) == hashOf(lowered->ir));
    CHECK(lanes.classes[0].runs[0].body != 0);
    CHECK(lanes.classes[0].runs[0].body == plain.classes[0].runs[0].body);
    // what states call hidden values, wherever they are
    REQUIRE(lanes.hiddenNames.size() == plain.hiddenNames.size());
    std::size_t apart = 0;
    for (std::size_t i = 0; i < lanes.hiddenNames.size(); ++i) {
        const smec::ir::NameRun& name = lanes.hiddenNames[i];
        CHECK(name.prefix == plain.hiddenNames[i].prefix);
        CHECK(name.suffix == plain.hiddenNames[i].suffix);
        if (name.leaves.empty()) continue;
        ++apart;
        CHECK(name.suffix->ends_with("#var.0.0"));
        CHECK(name.leaves[0].elements.size() == 4);
    }
    CHECK(apart == 1);
    // elements that have planes of their own say of which array
    std::size_t elements = 0;
    for (const smec::ir::Plane& plane : lanes.planes)
        if (plane.firstElement.valid()) {
            ++elements;
            CHECK(lanes.planes[plane.firstElement.index].hidden == plane.hidden);
        }
    CHECK(elements == 3);
    CHECK(lanes.planes.size() == plain.planes.size() + 3);
}
