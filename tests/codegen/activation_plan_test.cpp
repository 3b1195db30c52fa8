// What an activation works on, and what it stores, is decided before any of it is printed.

#include <catch2/catch.hpp>

#include "codegen/cpp/decide/stages.h"
#include "codegen/cpp/decide/stores.h"
#include "codegen/cpp/target.h"
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

TEST_CASE("a block is one function that is inline in each cycle, or several", "[codegen][plan]") {
    const ir::Design design = test::hetero(3);
    const auto functions = [&](std::vector<std::uint32_t> cuts, rules::Without without) {
        rules::Ledger ledger(without);
        Options options{.ledger = ledger};
        plan::Options whole{.wholeStatements = 16'000};
        whole.ledger = ledger;
        plan::Plan plan = plan::build(design, whole);
        plan.kernels.at(0).cuts = std::move(cuts);
        const SourceManager sources;
        const plan::Facts facts = plan::factsOf(design);
        const Program program = decide(design, plan, facts, sources, options);
        std::vector<std::tuple<std::uint32_t, std::uint32_t, bool>> found;
        for (const BlockFunction& one : std::get<BlockPlan>(program.kernels.at(0)).functions)
            found.emplace_back(one.begin, one.end, one.isInline);
        return found;
    };
    using Found = std::vector<std::tuple<std::uint32_t, std::uint32_t, bool>>;
    CHECK(functions({}, {}) == Found{{0, 3, true}});
    CHECK(functions({1, 2}, {}) == Found{{0, 1, false}, {1, 2, false}, {2, 3, false}});
    rules::Without without;
    without.add(rules::Rule::UnobservedCycles);
    CHECK(functions({}, without) == Found{{0, 3, false}});
}

TEST_CASE("what a body declares, tells and keeps is decided with it", "[codegen][plan]") {
    ir::Design design;
    test::ClassBuilder p(design, "p", 2);
    const ir::LocalId out = p.output("v", test::doubleType(), {{0.0}});
    const ir::LocalId own = p.temp("own", test::doubleType());
    const ir::LocalId front = p.temp("front", test::doubleType());
    const ir::LocalId list = p.temp("list", unsignedType(8, 20));
    const ir::LocalId large = p.temp("large", unsignedType(8, 70'000));
    const auto zero = [&] { return p.b().add({ir::ExprType::F64, ir::ConstFloat{0.5}}); };
    p.add(p.set(own, zero()));
    const ir::ExprId isOne = p.op(ir::BinaryOp::Eq, p.number(1), p.number(1));
    p.add({{}, ir::If{isOne, {p.set(front, p.read(own))}, {}}});
    for (const ir::LocalId array : {list, large})
        p.add(p.set(array, p.number(1), p.number(3)));
    p.add(p.set(out, p.read(front)));
    p.finish();
    const Decided decided(std::move(design));
    const BodyInfo& info = decided.program().classes[0];
    CHECK(info.inFront == std::vector<ir::LocalId>{front, list, large});
    CHECK(info.locals[large.index].isStatic);
    CHECK_FALSE(info.locals[list.index].isStatic);
    CHECK(info.locals[out.index].isCanonical);
    CHECK_FALSE(info.locals[own.index].isCanonical);
    CHECK(info.arguments == ArgumentForm::Array);
    CHECK_FALSE(info.isCopiedToParts);

    const Decided longOne(longBody(1));
    CHECK(longOne.program().classes[0].arguments == ArgumentForm::Registers);
    CHECK(longOne.program().classes[0].isCopiedToParts);
}

TEST_CASE("temporaries of a stage are declared where they are first set", "[codegen][plan]") {
    // t = x & 7;  list[0] = t;  t = t + 1;  v = t
    ir::Design design;
    test::ClassBuilder p(design, "p", 64);
    const ir::LocalId out = p.output("v", unsignedType(8));
    const ir::LocalId list = p.state("list", unsignedType(8, 8));
    const ir::LocalId t = p.temp("t", unsignedType(8));
    const auto x = p.input("x", unsignedType(8), {{0, 64, p.plane(), 0, 1}});
    p.add(p.set(t, p.op(ir::BinaryOp::And, p.read(x), p.number(7))));
    p.add(p.set(list, p.read(t), p.read(t)));
    p.add(p.set(t, p.op(ir::BinaryOp::And, p.read(x), p.number(3))));
    p.add(p.set(out, p.read(t)));
    p.finish();
    const Decided decided(std::move(design));
    const Program& program = decided.program();
    const std::vector<Stage> stages = stagesOf(program.design.classes[0], program.classes[0],
                                               decided.loop().walks.at(0).activation);
    REQUIRE(stages.size() == 3);
    CHECK(stages[0].declared.empty());  // its statement does
    CHECK(stages[1].declared.empty());
    CHECK(stages[2].declared == std::vector<ir::LocalId>{t});
    CHECK(stages[1].selects == Selects::Branches);
    CHECK(stages[2].selects == Selects::Masks);
    CHECK(stages[2].isSilent);
    CHECK_FALSE(stages[1].isSilent);
}

TEST_CASE("attributes of a walk's function are decided", "[codegen][plan]") {
    const Decided torus(test::mesh(24, true, true));
    for (const Walk& walk : torus.loop().walks)
        CHECK((walk.compiled == WalkFunction::Checks) == (checksOf(walk.kind) == Checks::Collect));
    Options scalar;
    scalar.lanes = false;
    CHECK(Decided(test::ring(37), scalar).loop().walks.at(0).compiled == WalkFunction::Loop);
    const auto withSelects = [](std::ptrdiff_t count) {
        ir::Design design;
        test::ClassBuilder p(design, "p", 37);
        const ir::LocalId n = p.state("n", unsignedType(32));
        const ir::LocalId out = p.output("v", unsignedType(32));
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            const ir::ExprId isLess = p.op(ir::BinaryOp::Lt, p.read(n), p.number(i + 100));
            p.add(p.set(n, p.b().select(isLess, p.number(2 * i + 7), p.read(n))));
        }
        p.add(p.set(out, p.read(n)));
        p.finish();
        return Decided(std::move(design)).loop().walks.at(0).compiled;
    };
    CHECK(withSelects(target::kManySelects - 1) == WalkFunction::Lanes);
    CHECK(withSelects(target::kManySelects) == WalkFunction::LongLanes);
}

TEST_CASE("how functions give back results is decided", "[codegen][plan]") {
    ir::Design design = test::ring(8);
    const auto add = [&](std::vector<ir::StorageType> results, bool mayFail) {
        ir::Function function;
        function.name = "f" + std::to_string(design.functions.size());
        function.results = std::move(results);
        function.mayFail = mayFail;
        design.functions.push_back(std::move(function));
    };
    add({unsignedType(8)}, false);
    add({unsignedType(8, 4)}, false);
    add({unsignedType(8), unsignedType(8)}, false);
    add({}, false);
    add({unsignedType(8)}, true);
    const Decided decided(std::move(design));
    using enum Returns;
    CHECK(decided.program().returns
          == std::vector<Returns>{Value, Nothing, Nothing, Nothing, Status});
}
