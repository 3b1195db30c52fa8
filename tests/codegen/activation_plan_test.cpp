// What an activation works on, and what it stores, is decided before any of it is printed.

#include <catch2/catch.hpp>

#include "codegen/cpp/decide/stores.h"
#include "decided.h"

using namespace smec;
using namespace smec::codegen::cpp;
using test::Decided;
using test::integer;
using test::unsignedType;

namespace {

/// `first` and `flag` are used in the first part alone, `second` in the last one, `both` in all.
ir::Design longBody(std::uint32_t instances) {
    ir::Design design;
    test::ClassBuilder p(design, "work", instances);
    const ir::LocalId first = p.state("first", unsignedType(32));
    const ir::LocalId flag = p.state("flag", test::boolType());
    const ir::LocalId second = p.state("second", unsignedType(32));
    const ir::LocalId both = p.state("both", unsignedType(32));
    const ir::LocalId out = p.output("out.v", unsignedType(32));
    const auto advance = [&](ir::LocalId id) {
        return p.set(id, p.wrap(p.op(ir::BinaryOp::Add, p.read(id), p.number(3)), 32));
    };
    const auto repeat = [&](ir::LocalId id, int times) {
        for (int i = 0; i < times; ++i)
            p.add(advance(id));
    };
    repeat(both, 1);
    repeat(first, 400);
    p.add(p.set(flag, p.op(ir::BinaryOp::Lt, p.read(first), p.number(7))));
    repeat(both, 2'000);
    repeat(second, 100);
    p.add(p.set(out, p.read(both)));
    p.finish();
    return design;
}

std::vector<WorksOn> worksOnOf(const Activation& activation) {
    std::vector<WorksOn> result;
    for (const StateAccess& state : activation.state)
        result.push_back(state.worksOn);
    return result;
}

std::vector<bool> storesOf(const Activation& activation) {
    std::vector<bool> result;
    for (const StateAccess& state : activation.state)
        result.push_back(state.isStored);
    return result;
}

}  // namespace

TEST_CASE("a variable that one part alone uses is worked on where it lies", "[codegen][plan]") {
    using enum WorksOn;
    const Decided loop(longBody(20)), block(longBody(1));
    CHECK(worksOnOf(loop.loop().walks.at(0).activation)
          == std::vector<WorksOn>{Direct, Copy, Direct, Copy});
    CHECK(worksOnOf(block.block().steps.at(0).activation)
          == std::vector<WorksOn>{Direct, Reference, Direct, Reference});
    // what has no copy is not stored behind the body
    CHECK(storesOf(loop.loop().walks.at(0).activation)
          == std::vector<bool>{false, true, false, true});

    rules::Without without;
    without.add(rules::Rule::StateReferences);
    rules::Ledger ledger(without);
    const Decided copies(longBody(20), {.ledger = ledger});
    CHECK(worksOnOf(copies.loop().walks.at(0).activation) == std::vector<WorksOn>(4, Copy));
}

TEST_CASE("loops that look at checks alone store nothing", "[codegen][plan]") {
    const Decided torus(test::mesh(24, true, true));
    for (const Walk& walk : torus.loop().walks) {
        const bool isLooking = checksOf(walk.kind) == Checks::Collect;
        REQUIRE(walk.activation.outputs.size() == 1);
        CHECK(walk.activation.outputs[0].stored.has_value() != isLooking);
        CHECK(walk.activation.state.at(0).isStored != isLooking);
        CHECK(walk.activation.mayLeave == (checksOf(walk.kind) == Checks::Test));
    }
}

TEST_CASE("spread arrays are read with bounds where checks alone are looked at",
          "[codegen][plan]") {
    ir::Body body;
    body.locals.push_back({"list", ir::LocalKind::State, unsignedType(8, 4)});
    body.locals[0].form = ir::LocalForm::Spread;
    BodyInfo info;
    info.body = &body;
    info.locals.resize(1);
    const Access place = OfInstance{0, 1};
    for (const Checks checks : {Checks::Test, Checks::Collect, Checks::Skip}) {
        Activation activation;
        activation.state.push_back({0, {0}, place, From{place}, false});
        decideStores(activation, info, {checks}, {});
        CHECK((activation.state[0].worksOn == WorksOn::Bounded) == (checks == Checks::Collect));
    }
}

TEST_CASE("fields are stored in memory, in a variable of the block, or for who looks",
          "[codegen][plan]") {
    ir::Body body;
    body.locals.push_back({"v", ir::LocalKind::Output, unsignedType(8)});
    BodyInfo info;
    info.body = &body;
    info.locals.resize(1);
    info.needs.traces = true;
    const AtElement memory{Base::Write, 7}, ofBlock{Base::Write, 7, true};
    struct Case {
        AtElement place;
        bool isForLookers;
        std::optional<Access> stored, observed;
    };
    for (const Case& one : {Case{memory, false, memory, {}}, Case{memory, true, {}, memory},
                            Case{ofBlock, true, ofBlock, memory}}) {
        Activation activation;
        activation.outputs.push_back({0, {0}, one.place, Overwritten{}, one.isForLookers});
        decideStores(activation, info, {Checks::Test, one.isForLookers}, {});
        CHECK(activation.outputs[0].stored == one.stored);
        CHECK(activation.outputs[0].observed == one.observed);
        // an unobserved cycle ends where something is printed
        CHECK(activation.mayLeave == one.isForLookers);
    }
    body.locals[0].type = unsignedType(8, 3);
    Activation array;
    array.outputs.push_back({0, {0}, memory, Overwritten{}});
    decideStores(array, info, {}, {});
    CHECK_FALSE(array.outputs[0].stored);
}
