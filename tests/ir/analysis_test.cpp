#include <catch2/catch.hpp>

#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/runs.h"

using namespace smec::ir;

namespace {

LocalId addLocal(Body& body, std::uint32_t width, bool isSigned = false,
                 LocalKind kind = LocalKind::Param) {
    body.locals.push_back({"x", kind, {{ScalarKind::Int, isSigned, width}, 0}, 0, std::nullopt});
    return {static_cast<std::uint32_t>(body.locals.size() - 1)};
}

Machine machineOf(const Body& body, ExprId id) {
    const auto ranges = intervals(body, {}, {}, {});
    return machineTypes(body, ranges, demandedBits(body, ranges))[id.index];
}

}  // namespace

TEST_CASE("intervals agree with brute force on small types", "[ir]") {
    const BinaryOp ops[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div,
                            BinaryOp::Mod, BinaryOp::Shl, BinaryOp::Shr, BinaryOp::And,
                            BinaryOp::Or,  BinaryOp::Xor, BinaryOp::Min, BinaryOp::Max};
    std::size_t outside = 0;
    for (BinaryOp op : ops) {
        for (int a = -5; a <= 5; ++a) {
            for (int b = a; b <= 5; b += 2) {
                for (int c = -5; c <= 5; ++c) {
                    for (int d = c; d <= 5; d += 3) {
                        const Interval range = apply(op, Interval{a, b}, Interval{c, d});
                        for (int x = a; x <= b; ++x) {
                            for (int y = c; y <= d; ++y) {
                                const auto value = apply(op, Integer(x), Integer(y));
                                if (value && !range.contains(*value)) ++outside;
                            }
                        }
                    }
                }
            }
        }
    }
    CHECK(outside == 0);
}

TEST_CASE("bitwise operators see two's complement without end", "[ir]") {
    CHECK(*apply(BinaryOp::And, Integer(-2), Integer(7)) == 6);
    CHECK(*apply(BinaryOp::Or, Integer(-8), Integer(3)) == -5);
    CHECK(*apply(BinaryOp::Xor, Integer(-1), Integer(5)) == -6);
    CHECK(*apply(BinaryOp::Shr, Integer(-5), Integer(1)) == -3);
    CHECK(*apply(BinaryOp::Shr, Integer(-5), powerOfTwo(70)) == -1);
    CHECK_FALSE(apply(BinaryOp::Shl, Integer(1), powerOfTwo(70)));
}

TEST_CASE("a counted loop goes through its bounds, or through nothing", "[ir]") {
    const auto check = [](LoopKind kind, int from, int to, int step, int count) {
        const Rounds rounds = roundsOf(kind, from, to);
        CHECK(rounds.first == from);
        CHECK(rounds.step == step);
        CHECK(rounds.count == count);
    };
    check(LoopKind::Up, 2, 5, 1, 4);
    check(LoopKind::Up, 5, 2, 1, 0);
    check(LoopKind::Down, 5, -1, -1, 7);
    check(LoopKind::Down, -1, 5, -1, 0);
    check(LoopKind::Either, 3, 3, 1, 1);
    check(LoopKind::Either, 3, 1, -1, 3);
    check(LoopKind::Either, 1, 3, 1, 3);

    Body body;
    const LocalId x = addLocal(body, 8);
    Builder builder(body);
    const ExprId zero = builder.constant(Integer(0)), nine = builder.constant(Integer(9));
    const ExprId varies = builder.read(x);
    CHECK(roundsOf(body, For{{}, LoopKind::Up, zero, nine, {}, {}})->count == 10);
    CHECK_FALSE(roundsOf(body, For{{}, LoopKind::Up, zero, varies, {}, {}}));
    CHECK_FALSE(roundsOf(body, For{{}, LoopKind::Down, varies, zero, {}, {}}));
}

TEST_CASE("a shift by a large count has no bounds, its low bits have", "[ir]") {
    Body body;
    const LocalId x = addLocal(body, 8), n = addLocal(body, 32);
    const LocalId r = addLocal(body, 16, false, LocalKind::Temp);
    Builder builder(body);
    const ExprId shifted = builder.binary(BinaryOp::Shl, builder.read(x), builder.read(n));
    CHECK(isUnbounded(builder.interval(shifted)));
    const ExprId stored = builder.wrap(shifted, 16, false);
    CHECK(builder.interval(stored) == Interval{0, 65535});
    body.statements.push_back({{}, Set{r, {}, stored}});
    CHECK(machineOf(body, shifted) == Machine{32, false});
}

TEST_CASE("equal expressions are one", "[ir]") {
    Body body;
    const LocalId x = addLocal(body, 8);
    Builder builder(body);
    const ExprId a = builder.binary(BinaryOp::Add, builder.read(x), builder.constant(Integer(1)));
    CHECK(a == builder.binary(BinaryOp::Add, builder.constant(Integer(1)), builder.read(x)));
    CHECK(builder.wrap(a, 16, false) == a);
    CHECK(builder.wrap(builder.read(x), 8, false) == builder.read(x));
    CHECK(builder.binary(BinaryOp::Mod, builder.read(x), builder.constant(Integer(256)))
          == builder.read(x));
    CHECK(builder.boolean(
              builder.binary(BinaryOp::Lt, builder.read(x), builder.constant(Integer(256))))
          != nullptr);
}

TEST_CASE("machine words", "[ir]") {
    Body body;
    const LocalId a = addLocal(body, 64), b = addLocal(body, 64), s = addLocal(body, 8, true),
                  u = addLocal(body, 30);
    const LocalId r = addLocal(body, 64, false, LocalKind::Temp);
    Builder builder(body);
    const ExprId product = builder.binary(BinaryOp::Mul, builder.read(a), builder.read(b));
    const ExprId high = builder.binary(BinaryOp::Shr, product, builder.constant(Integer(64)));
    const ExprId low = builder.wrap(product, 64, false);
    body.statements.push_back({{}, Set{r, {}, low}});
    CHECK(machineOf(body, product) == Machine{64, false});
    body.statements.push_back({{}, Set{r, {}, high}});
    CHECK(machineOf(body, product) == Machine{128, false});

    const ExprId difference = builder.binary(BinaryOp::Sub, builder.read(s), builder.read(u));
    ExprId four = builder.read(u);
    for (int i = 0; i < 3; ++i)
        four = builder.binary(BinaryOp::Add, four, builder.read(u));
    body.statements.push_back({{}, Trace{0, {difference, four}}});
    CHECK(machineOf(body, difference) == Machine{32, true});
    CHECK(machineOf(body, four) == Machine{32, false});  // 4 * (2^30 - 1) fits u32
}

TEST_CASE("a slice needs the bits up to its end", "[ir]") {
    Body body;
    const LocalId a = addLocal(body, 300), r = addLocal(body, 100, false, LocalKind::Temp);
    Builder builder(body);
    const ExprId product = builder.binary(BinaryOp::Mul, builder.read(a), builder.read(a));
    const ExprId high = builder.binary(BinaryOp::Shr, product, builder.constant(Integer(200)));
    const ExprId slice = builder.wrap(high, 90, false);
    body.statements.push_back({{}, Set{r, {}, slice}});
    CHECK(machineOf(body, product) == Machine{384, false});  // 128 + 200, of 600
    CHECK(machineOf(body, high) == Machine{128, false});
    body.statements.push_back({{}, Trace{0, {high}}});
    CHECK(machineOf(body, product) == Machine{640, false});
}

TEST_CASE("loop variables lie between their bounds", "[ir]") {
    Body body;
    const LocalId i = addLocal(body, 4, false, LocalKind::Temp),
                  j = addLocal(body, 4, false, LocalKind::Temp);
    Builder builder(body);
    const ExprId zero = builder.constant(Integer(0)), nine = builder.constant(Integer(9));
    const ExprId readI = builder.read(i), readJ = builder.read(j);
    Block inner{{{}, For{j, LoopKind::Up, zero, readI, {{{}, Trace{0, {readJ}}}}, 16}}};
    body.statements.push_back({{}, For{i, LoopKind::Up, zero, nine, inner, 10}});
    const auto ranges = intervals(body, {}, {}, {});
    CHECK(ranges[readI.index] == Interval{0, 9});
    CHECK(ranges[readJ.index] == Interval{0, 9});
}

TEST_CASE("a ring is two runs, a permutation many", "[ir]") {
    RunBuilder ring;
    ring.add(PlaneId{3}, 9);
    for (std::uint32_t i = 0; i < 9; ++i)
        ring.add(PlaneId{3}, i);
    const auto runs = ring.take();
    REQUIRE(runs.size() == 2);
    CHECK(runs[0].count == 1);
    CHECK(runs[0].start == 9);
    CHECK(runs[1].first == 1);
    CHECK(runs[1].count == 9);
    CHECK(runs[1].stride == 1);

    RunBuilder columns;
    for (std::uint32_t x = 0; x < 3; ++x) {
        for (std::uint32_t y = 0; y < 4; ++y)
            columns.add(PlaneId{0}, y * 3 + x);
    }
    CHECK(columns.take().size() == 3);
}
