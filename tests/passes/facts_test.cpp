#include <catch2/catch.hpp>

#include "../lower/compile.h"
#include "ir/lanes.h"
#include "plan/plan.h"

using namespace smec;

namespace {

/// A class for vector instructions, one with rounds, one with a loop whose rounds a run decides.
std::unique_ptr<Compiled> threeKinds() {
    return compile(
        "func half(a: u8): u8 { return a / 2; }\n"
        "proc plain(in x, out o) { o.v = x.v + 1; }\n"
        "proc other(in x, out o) { var s: u8 = 1; while (s < x.v) { s += s; } o.v = half(s); }\n"
        "network top() { bus a[32] { v: u8; }; bus b[32] { v: u8; };\n"
        "generate i = 0 until 32 { instance p[i] of plain(b[i], a[i]);\n"
        "instance q[i] of other(a[i], b[i]); } }\n",
        false, true);
}

}  // namespace

TEST_CASE("facts: what is known of bodies is what their analyses say", "[plan][facts]") {
    const auto compiled = threeKinds();
    const ir::Design& design = compiled->ir;
    const plan::Facts facts = plan::factsOf(design);
    REQUIRE(facts.classes.size() == design.classes.size());
    REQUIRE(facts.functions.size() == design.functions.size());
    for (std::size_t i = 0; i < design.classes.size(); ++i) {
        const ir::Class& cls = design.classes[i];
        const plan::BodyFacts& known = facts.classes[i];
        INFO(cls.name);
        CHECK(known.intervals.size() == cls.body.exprs.size());
        CHECK(known.cost == plan::costOf(cls.body, design));
        CHECK(known.fillsLanes == (cls.name == "plain"));
        CHECK(known.isCostKnown == (cls.name == "plain"));
        CHECK_FALSE(known.fillsLanesInRounds);
    }
    CHECK_FALSE(facts.areCostsKnown());
}

TEST_CASE("facts: those of bodies that changed are found anew, of no others", "[plan][facts]") {
    const auto compiled = threeKinds();
    ir::Design& design = compiled->ir;
    plan::Facts facts = plan::factsOf(design);
    const double before = facts.classes[0].cost;
    for (ir::Class& cls : design.classes)
        cls.body.statements.clear();
    plan::update(facts, design, std::array{1U});
    CHECK(facts.classes[0].cost == before);
    CHECK(facts.classes[1].cost == 0);
    CHECK(facts.classes[1].size < facts.classes[0].size + 2);
    CHECK(facts.classes[1].isCostKnown);
    plan::update(facts, design, std::array{0U});
    CHECK(facts.classes[0].cost == 0);
    CHECK(plan::factsOf(design).classes[0].size == facts.classes[0].size);
}
