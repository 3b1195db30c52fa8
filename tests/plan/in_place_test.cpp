// Which held arrays have one slot, and which steps stand behind others for that.

#include <catch2/catch.hpp>

#include "plan/plan_designs.h"

using namespace smec;

namespace {

const ir::StorageType kWord = test::unsignedType(8);

/// A process with a held array `m` and inputs; its statements are given afterwards.
class Writer : public test::ClassBuilder {
public:
    Writer(ir::Design& design, const std::string& name, std::uint32_t length = 4,
           std::uint32_t instances = 1)
        : ClassBuilder(design, name, instances),
          words(test::unsignedType(8, length)),
          sum(state("sum", kWord)),
          m(output("m", words, {test::integer(0)}, true)) {}

    /// Element 1 of what instances read of a field of as many.
    ir::ExprId readOf(ir::PlaneId plane) {
        return read(input("x.v", words, {{0, cls().instances, plane, 0, 1}}), {}, number(1));
    }
    ir::Stmt reading(ir::ExprId value) {
        return set(sum, wrap(op(test::Add, read(sum), value), 8));
    }
    ir::Stmt writing() { return set(m, read(sum), number(1)); }

    const ir::StorageType words;
    const ir::LocalId sum, m;
};

/// A process that reads an array.
void addReader(ir::Design& design, const std::string& name, ir::PlaneId plane,
               bool isCombinational = false) {
    test::ClassBuilder p(design, name, 1);
    const ir::LocalId v = p.output("v", kWord, {test::integer(0)}, false, isCombinational);
    const std::uint32_t length = design.planes[plane.index].type.length;
    const auto in = p.input("m.v", test::unsignedType(8, length), {{0, 1, plane, 0, 1}});
    p.add(p.set(v, p.read(in, {}, p.number(2))));
    p.finish();
}

bool isInPlace(const plan::Plan& plan, ir::PlaneId plane) {
    return plan.storage[plane.index].isReadFirst;
}

using Body = std::vector<ir::Stmt> (*)(Writer&, ir::ExprId own);

bool isInPlaceOf(Body body, std::uint32_t instances = 1) {
    ir::Design design;
    Writer writer(design, "write", 4, instances);
    for (ir::Stmt& stmt : body(writer, writer.readOf(writer.plane())))
        writer.add(std::move(stmt));
    writer.finish();
    return isInPlace(plan::build(design, {}), design.classes[0].outputs[0].plane);
}

}  // namespace

TEST_CASE("an array that is read before it is set has one slot", "[plan][in place]") {
    CHECK(isInPlaceOf([](Writer& w, ir::ExprId own) {
        return std::vector{w.reading(own), w.writing()};
    }));
    CHECK_FALSE(isInPlaceOf([](Writer& w, ir::ExprId own) {
        return std::vector{w.writing(), w.reading(own)};
    }));
    // what is set is there before it is stored
    CHECK(isInPlaceOf([](Writer& w, ir::ExprId own) { return std::vector{w.set(w.m, own, own)}; }));
    const Body isLoop = [](Writer& w, ir::ExprId own) {
        const ir::LocalId i = w.temp("i", kWord);
        return std::vector<ir::Stmt>{
            {{},
             ir::For{
                 i, ir::LoopKind::Up, w.number(0), w.number(3), {w.reading(own), w.writing()}, 4}}};
    };
    CHECK_FALSE(isInPlaceOf(isLoop));
    // a copy of the whole is read later
    CHECK_FALSE(isInPlaceOf([](Writer& w, ir::ExprId) {
        const ir::LocalId copy = w.temp("copy", w.words);
        return std::vector<ir::Stmt>{{{}, ir::CopyArray{copy, ir::ReadInput{0, {}, {}}}},
                                     w.writing(),
                                     w.reading(w.read(copy, w.number(1)))};
    }));
    // instances of a loop have two
    CHECK_FALSE(isInPlaceOf(
        [](Writer& w, ir::ExprId own) {
            return std::vector{w.reading(own), w.writing()};
        },
        100));
}

TEST_CASE("branches that exclude one another may set and read an array", "[plan][in place]") {
    const Body isEither = [](Writer& w, ir::ExprId own) {
        const ir::ExprId condition = w.op(test::Eq, w.read(w.sum), w.number(0));
        return std::vector<ir::Stmt>{{{}, ir::If{condition, {w.writing()}, {w.reading(own)}}}};
    };
    CHECK(isInPlaceOf(isEither));
    const Body isBoth = [](Writer& w, ir::ExprId own) {
        const ir::ExprId condition = w.op(test::Eq, w.read(w.sum), w.number(0));
        return std::vector<ir::Stmt>{{{}, ir::If{condition, {w.writing()}, {}}}, w.reading(own)};
    };
    CHECK_FALSE(isInPlaceOf(isBoth));
}

TEST_CASE("writers stand behind the readers of their arrays", "[plan][in place]") {
    ir::Design design;
    Writer writer(design, "write");
    writer.add(writer.writing());
    writer.finish();
    const ir::PlaneId m = design.classes[0].outputs[0].plane;
    addReader(design, "first", m);
    addReader(design, "second", m);
    addReader(design, "other", design.classes[1].outputs[0].plane);
    design.classes[3].inputs.clear();
    design.classes[3].body = {};
    const plan::Plan plan = plan::build(design, {});
    REQUIRE(plan.kernels.size() == 1);
    CHECK(isInPlace(plan, m));
    CHECK(plan.kernels[0].steps
          == std::vector{plan::InstanceRef{{1}, 0}, plan::InstanceRef{{2}, 0},
                         plan::InstanceRef{{0}, 0}, plan::InstanceRef{{3}, 0}});
    // in other blocks they may run at any time
    const plan::Plan apart = plan::build(design, {.blockStatements = 1});
    CHECK(apart.kernels.size() > 1);
    CHECK_FALSE(isInPlace(apart, m));
    // which element of a port is read a run decides
    design.classes[1].inputs[0].elements.push_back(design.classes[1].inputs[0].elements[0]);
    CHECK_FALSE(isInPlace(plan::build(design, {}), m));
}

TEST_CASE("of two arrays whose writers read both one has one slot", "[plan][in place]") {
    ir::Design design;
    const ir::PlaneId theirs{3};  // the next writer's
    Writer a(design, "a");
    a.add(a.reading(a.readOf(theirs)));
    a.add(a.writing());
    a.finish();
    Writer b(design, "b");
    b.add(b.reading(b.readOf(design.classes[0].outputs[0].plane)));
    b.add(b.writing());
    b.finish();
    REQUIRE(b.id().index == 1);
    REQUIRE(design.classes[1].outputs[0].plane == theirs);
    const plan::Plan plan = plan::build(design, {});
    CHECK(isInPlace(plan, design.classes[0].outputs[0].plane));
    CHECK_FALSE(isInPlace(plan, theirs));
    REQUIRE(plan.kernels.size() == 1);
    CHECK(plan.kernels[0].steps
          == std::vector{plan::InstanceRef{{1}, 0}, plan::InstanceRef{{0}, 0}});
}

TEST_CASE("large arrays beside combinational processes have two slots", "[plan][in place]") {
    for (const std::uint32_t length : {64u * 1024, 64u * 1024 + 1}) {
        for (const bool isCombinational : {false, true}) {
            ir::Design design;
            Writer writer(design, "write", length);
            writer.add(writer.writing());
            writer.finish();
            const ir::PlaneId m = design.classes[0].outputs[0].plane;
            addReader(design, "read", m, isCombinational);
            const plan::Plan plan = plan::build(design, {.wholeStatements = 16'000});
            CHECK(isInPlace(plan, m) == (length == 64 * 1024 || !isCombinational));
        }
    }
}
