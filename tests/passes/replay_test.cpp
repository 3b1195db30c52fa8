#include <catch2/catch.hpp>

#include "../lower/compile.h"
#include "ir/visit.h"
#include "plan/plan.h"
#include "plan/set_logs.h"

namespace {

/// Words of the log of a process that sets elements of `o.m`, which has 1,600; 0: it wants none.
std::uint32_t logLength(const std::string& body, const std::string& field = "hold m: [1600]u8") {
    const auto compiled =
        compile("proc p(in x, out o, const c: u8) { " + body + " }\nnetwork top() { bus b { "
                    + field + "; }; bus i { v: u16; };\ninstance a of p(i, b, 3); }\n",
                false, true);
    const std::vector<bool> none(compiled->ir.planes.size(), false);
    const smec::ir::PlaneId array = compiled->cls("p").outputs.at(0).plane;
    const auto log = smec::plan::logsFor(compiled->ir, none, {})[array.index];
    return log ? log->words() : 0;
}

/// A plan in which nothing has one slot.
struct TwoSlots {
    TwoSlots() { options.ledger = ledger; }

    static smec::rules::Without withoutOneSlot() {
        smec::rules::Without without;
        without.add(smec::rules::Rule::OneSlot);
        return without;
    }

    smec::rules::Ledger ledger{withoutOneSlot()};
    smec::plan::Options options;
};

/// Two classes that want a log each, unless they have one slot.
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

/// Statements that set a place of the class's log.
std::uint32_t notesOf(const smec::ir::Class& cls) {
    std::uint32_t count = 0;
    smec::ir::forEachStmt(cls.body.statements, [&](const smec::ir::Stmt& stmt) {
        const auto* set = std::get_if<smec::ir::Set>(&stmt.node);
        if (set == nullptr) return;
        const smec::ir::Local& local = cls.body.locals[set->local.index];
        if (local.kind == smec::ir::LocalKind::State
            && cls.state[local.slot] == cls.outputs.at(0).log->plane)
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

TEST_CASE("what the plan keeps in one slot has no log", "[passes][replay]") {
    const auto compiled = twoLogs();
    const smec::plan::Plan plan =
        smec::plan::decide(compiled->ir, smec::plan::factsOf(compiled->ir), {});
    CHECK(smec::plan::logsIn(plan.storage).empty());
}

TEST_CASE("a plan asks for logs, and has a home for what it gets", "[passes][replay]") {
    const auto compiled = twoLogs();
    smec::ir::Design& design = compiled->ir;
    const TwoSlots two;
    smec::plan::Facts facts = smec::plan::factsOf(design);
    smec::plan::Plan plan = smec::plan::decide(design, facts, two.options);
    const auto logs = smec::plan::logsIn(plan.storage);
    REQUIRE(logs.size() == 2);
    const std::size_t planes = design.planes.size();
    const auto changed = smec::passes::runBehindPlan(design, {.logs = logs});
    std::vector<std::uint32_t> both{number(*compiled, "p"), number(*compiled, "q")};
    std::ranges::sort(both);
    CHECK(changed == both);
    CHECK(notesOf(compiled->cls("p")) == 1);
    CHECK(notesOf(compiled->cls("q")) == 1);
    CHECK(smec::ir::verify(design).empty());
    smec::plan::update(facts, design, changed);
    smec::plan::place(design, facts, two.options, plan);
    REQUIRE(plan.storage.size() == planes + 2);
    CHECK(plan.storage[planes] == smec::plan::Decision{smec::plan::Home::OneSlot});
}

TEST_CASE("a plan whose logs nobody made is wrong", "[passes][replay]") {
    const auto compiled = twoLogs();
    const TwoSlots two;
    const smec::plan::Facts facts = smec::plan::factsOf(compiled->ir);
    smec::plan::Plan plan = smec::plan::decide(compiled->ir, facts, two.options);
    CHECK_THROWS_WITH(smec::plan::place(compiled->ir, facts, two.options, plan),
                      Catch::Contains("its home names a log that is not there"));
    // without one, arrays are copied
    const smec::plan::Plan copied = smec::plan::build(compiled->ir, two.options);
    CHECK(smec::plan::logsIn(copied.storage).empty());
}
