#include <catch2/catch.hpp>

#include "../lower/compile.h"
#include "ir/visit.h"
#include "source/internal_error.h"

namespace {

/// Words of the log of a process that sets elements of `o.m`, which has 1,600; 0: there is none.
std::uint32_t logLength(const std::string& body, const std::string& field = "hold m: [1600]u8") {
    const auto compiled =
        compile("proc p(in x, out o, const c: u8) { " + body + " }\nnetwork top() { bus b { "
                    + field + "; }; bus i { v: u16; };\ninstance a of p(i, b, 3); }\n",
                false, true);
    const smec::ir::Class& cls = compiled->cls("p");
    const auto& log = cls.outputs.at(0).log;
    return log ? compiled->ir.planes[log->index].type.length : 0;
}

/// Two classes with a log each.
std::unique_ptr<Compiled> twoLogs() {
    return compile("proc p(in x, out o) { o.m[x.v % 1600] = 3; }\n"
                   "proc q(in x, out o) { o.m[x.v % 1600] = 4; }\n"
                   "network top() { bus a { hold m: [1600]u8; }; bus b { hold m: [1600]u8; };\n"
                   "bus i { v: u16; };\ninstance c of p(i, a); instance d of q(i, b); }\n",
                   false, true);
}

std::uint32_t number(const Compiled& compiled, const std::string& name) {
    return static_cast<std::uint32_t>(&compiled.cls(name) - compiled.ir.classes.data());
}

std::vector<bool> only(const smec::ir::Design& design, smec::ir::PlaneId plane) {
    std::vector<bool> planes(design.planes.size(), false);
    planes[plane.index] = true;
    return planes;
}

/// Statements that set a place of the class's log.
std::uint32_t notesOf(const smec::ir::Class& cls) {
    std::uint32_t count = 0;
    smec::ir::forEachStmt(cls.body.statements, [&](const smec::ir::Stmt& stmt) {
        const auto* set = std::get_if<smec::ir::Set>(&stmt.node);
        if (set == nullptr) return;
        const smec::ir::Local& local = cls.body.locals[set->local.index];
        if (local.kind == smec::ir::LocalKind::State
            && cls.state[local.slot] == *cls.outputs.at(0).log)
            ++count;
    });
    return count;
}

const std::string kOne = "o.m[x.v % 1600] = c;";

}  // namespace

TEST_CASE("what is set in held arrays is noted", "[passes][replay]") {
    CHECK(logLength("for i = 0 until 9 { o.m[(x.v + i) % 1600] = c; }") == 9 + 2);
    CHECK(logLength("for i = 0 until x.v { o.m[i % 1600] = c; }") == 100 + 2);
}

TEST_CASE("what few statements set is noted at places of their own", "[passes][replay]") {
    CHECK(logLength(kOne) == 1);
    CHECK(logLength(kOne + "if (x.v > 9) { o.m[0] = 1; o.m[1] = 1; } else { o.m[2] = 1; }") == 3);
    std::string many = kOne;
    for (int i = 1; i < 16; ++i)
        many += kOne;
    CHECK(logLength(many) == 16);
    CHECK(logLength(many + kOne) == 17 + 2);
    CHECK(logLength(kOne + "if (x.v > 9) { for i = 0 until 3 { o.m[(x.v + i) % 1600] = c; } }")
          == 4 + 2);
    CHECK(logLength("var a: [1600]u8; if (x.v > 9) { o.m = a; }" + kOne) == 1 + 2);
}

TEST_CASE("what is set as a whole, or nearly, is copied", "[passes][replay]") {
    CHECK(logLength("for i = 0 until 101 { o.m[(x.v + i) % 1600] = c; }") == 0);
    CHECK(logLength("o.m[x.v % 32] = c;", "hold m: [32]u8") == 0);
    CHECK(logLength(kOne, "m: [1600]u8") == 0);
}

TEST_CASE("notes of what the plan keeps in one slot go, and no others", "[passes][replay]") {
    const auto compiled = twoLogs();
    smec::ir::Design& design = compiled->ir;
    const std::uint32_t p = number(*compiled, "p"), q = number(*compiled, "q");
    REQUIRE(notesOf(design.classes[p]) == 1);
    const auto none = std::vector<bool>(design.planes.size(), false);
    CHECK(smec::passes::finish(design, none).empty());
    CHECK(notesOf(design.classes[p]) == 1);
    const auto planes = only(design, design.classes[p].outputs[0].plane);
    CHECK(smec::passes::finish(design, planes) == std::vector<std::uint32_t>{p});
    CHECK(notesOf(design.classes[p]) == 0);
    CHECK(notesOf(design.classes[q]) == 1);
    CHECK(smec::ir::verify(design).empty());
}

TEST_CASE("a body without its notes is verified", "[passes][replay]") {
    const auto compiled = twoLogs();
    smec::ir::Class& cls = compiled->ir.classes[number(*compiled, "p")];
    for (smec::ir::Stmt& stmt : cls.body.statements)
        if (auto* set = std::get_if<smec::ir::Set>(&stmt.node)) set->index = {};
    const auto planes = only(compiled->ir, cls.outputs[0].plane);
    CHECK_THROWS_AS(smec::passes::finish(compiled->ir, planes), smec::InternalError);
}
