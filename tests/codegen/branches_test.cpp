// Of a body that takes one of several paths: what it works on where it lies, and which conditions read memory.

#include <catch2/catch.hpp>

#include "codegen/cpp/decide/set_paths.h"
#include "codegen/cpp/target.h"
#include "compile.h"
#include "decided.h"

using namespace smec;
using namespace smec::codegen::cpp;
using test::Decided;
using test::integer;
using test::unsignedType;

namespace {

/// Processes that count in branches: `always` on every path, `never` on none, `some` and `flag` on one side, `other` on the
/// other one, `twice` more than once, `round` in a loop.
ir::Design counting(std::uint32_t instances) {
    ir::Design design;
    design.name = "counting";
    test::ClassBuilder p(design, "p", instances);
    const auto word = unsignedType(32);
    const ir::LocalId always = p.state("always", word), some = p.state("some", word),
                      other = p.state("other", word), twice = p.state("twice", word),
                      round = p.state("round", word), flag = p.state("flag", test::boolType()),
                      never = p.state("never", word);
    const ir::LocalId at = p.temp("at", unsignedType(8));
    const ir::LocalId out = p.output("out.v", word);
    const auto advance = [&](ir::LocalId id, std::uint32_t by) {
        return p.set(id, p.wrap(p.op(ir::BinaryOp::Add, p.read(id), p.number(by)), 32));
    };
    const auto isOdd = [&](ir::LocalId id) {
        return p.op(ir::BinaryOp::Ne, p.wrap(p.read(id), 1), p.number(0));
    };
    p.add(advance(always, 3));
    ir::Block yes{advance(some, 5), p.set(flag, isOdd(some)), advance(twice, 1)};
    yes.push_back({{}, ir::If{isOdd(some), {advance(twice, 7)}, {}}});
    p.add({{}, ir::If{isOdd(always), std::move(yes), {advance(other, 9)}}});
    p.add({{}, ir::For{at, ir::LoopKind::Up, p.number(0), p.number(3), {advance(round, 2)}, 4}});
    ir::ExprId sum = p.read(always);
    for (const ir::LocalId id : {some, other, twice, round, never})
        sum = p.wrap(p.op(ir::BinaryOp::Add, sum, p.read(id)), 32);
    p.add(p.set(out, sum));
    p.finish();
    return design;
}

std::vector<WorksOn> worksOnOf(const ir::Design& design, const Options& options = {}) {
    const Decided decided(design, options);
    std::vector<WorksOn> result;
    for (const StateAccess& state : decided.loop().walks.at(0).activation.state)
        result.push_back(state.worksOn);
    return result;
}

}  // namespace

TEST_CASE("how often paths through a body set a variable", "[codegen][plan]") {
    const ir::Design design = counting(20);
    const std::vector<SetOn> found = setPathsOf(design.classes[0].body);
    const std::vector<SetOn> wanted = {SetOn::EveryPath, SetOn::SomePaths, SetOn::SomePaths,
                                       SetOn::Again,     SetOn::Again,     SetOn::SomePaths,
                                       SetOn::EveryPath};
    CHECK(std::vector(found.begin(), found.begin() + 7) == wanted);
}

TEST_CASE("loops work on what some paths set where it lies", "[codegen][plan]") {
    using enum WorksOn;
    const ir::Design design = counting(20);
    CHECK(worksOnOf(design)
          == std::vector<WorksOn>{Copy, Reference, Reference, Copy, Copy, Reference, Copy});
    rules::Without without;
    without.add(rules::Rule::StateReferences);
    rules::Ledger ledger(without);
    CHECK(worksOnOf(design, {.ledger = ledger}) == std::vector<WorksOn>(7, Copy));

    plan::Options straight;
    straight.loopThreshold = 1000;
    const test::Outcome loops =
        test::Build(design, {}).run("step.cpp", "9", "-w -O1 -fsanitize=undefined");
    const test::Outcome blocks = test::Build(design, straight).run("step.cpp", "9", "-w -O1");
    CHECK(loops.status == 0);
    CHECK(loops.output == blocks.output);
    test::contains(loops.output, "p[19].twice = ");
}

TEST_CASE("a condition reads memory where what stands in front of it does not decide",
          "[codegen][plan]") {
    // (x != 0 && y != 0) && list[x] != 0 && list[1] != 0 && …: of variables both are looked at
    ir::Design design;
    design.name = "conditions";
    test::ClassBuilder p(design, "p", 20);
    const ir::LocalId list = p.state("list", unsignedType(8, 8));
    const ir::LocalId x = p.state("x", unsignedType(3)), y = p.state("y", unsignedType(8));
    const auto isSet = [&](ir::ExprId value) { return p.op(ir::BinaryOp::Ne, value, p.number(0)); };
    const ir::ExprId both = p.op(ir::BinaryOp::BoolAnd, isSet(p.read(x)), isSet(p.read(y)));
    std::vector<ir::ExprId> elements{isSet(p.read(list, p.read(x)))};
    while (elements.size() < target::kShortCircuitReads)
        elements.push_back(isSet(p.read(list, p.number(elements.size()))));
    const auto chainOf = [&](ir::BinaryOp op, ir::ExprId first, std::size_t count) {
        std::vector<ir::ExprId> links{first};
        for (std::size_t i = 0; i < count; ++i)
            links.push_back(p.op(op, links.back(), elements[i]));
        return links;
    };
    const auto all = chainOf(ir::BinaryOp::BoolAnd, both, elements.size());
    const auto any = chainOf(ir::BinaryOp::BoolOr, isSet(p.read(y)), elements.size());
    const auto few = chainOf(ir::BinaryOp::BoolAnd, isSet(p.read(y)), elements.size() - 1);
    const ir::ExprId last = p.op(ir::BinaryOp::BoolAnd, all.back(), isSet(p.read(x)));
    for (const ir::ExprId condition : {last, any.back(), few.back()})
        p.add({{},
               ir::If{condition,
                      {p.set(y, p.wrap(p.op(ir::BinaryOp::Add, p.read(y), p.number(1)), 8))},
                      {}}});
    p.finish();
    const auto isShort = [&](const Decided& decided, ir::ExprId id) {
        return decided.program().classes[0].facts[id.index].isShortCircuit;
    };
    const Decided decided(design);
    CHECK_FALSE(isShort(decided, both));
    CHECK_FALSE(isShort(decided, last));
    for (std::size_t i = 1; i < all.size(); ++i) {
        CHECK(isShort(decided, all[i]));
        CHECK(isShort(decided, any[i]));
        if (i < few.size()) CHECK_FALSE(isShort(decided, few[i]));
    }
    const std::string text = test::Build(design, {}).units();
    test::contains(text, "((x != 0) & (y != 0)) && (list[x] != 0)) && (list[1u] != 0)");
    test::contains(text, "(y != 0) || (list[x] != 0)) || (list[1u] != 0)");
    test::contains(text, "(y != 0) & (list[x] != 0)) & (list[1u] != 0)");
    rules::Without without;
    without.add(rules::Rule::ShortCircuits);
    rules::Ledger ledger(without);
    CHECK_FALSE(isShort(Decided(design, {.ledger = ledger}), all.back()));
}
