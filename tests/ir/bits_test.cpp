#include "ir/bits.h"

#include <catch2/catch.hpp>

#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/builder.h"

// Shifts and masks that are bits side by side, and those that only look like it.

using namespace smec::ir;

namespace {

struct Bits {
    Body body;
    std::vector<Interval> locals;
    Builder builder;

    Bits() : builder(body, {nullptr, nullptr, nullptr, &locals}) {
        for (const std::uint32_t width : {16U, 8U, 2U}) {
            const Scalar scalar{ScalarKind::Int, false, width};
            body.locals.push_back({"x", LocalKind::State, {scalar, 0}});
            locals.push_back(intervalOf(scalar));
        }
    }
    ExprId word() { return builder.read({0}); }
    ExprId byte() { return builder.read({1}); }
    ExprId lane() { return builder.read({2}); }
    ExprId number(const Integer& value) { return builder.constant(value); }
    ExprId op(BinaryOp op, ExprId left, ExprId right) { return builder.binary(op, left, right); }
    ExprId shifted(ExprId id, int count) { return op(BinaryOp::Shl, id, number(count)); }
    std::vector<Interval> values() const {
        std::vector<Interval> result;
        for (std::uint32_t i = 0; i < body.exprs.size(); ++i)
            result.push_back(builder.interval({i}));
        return result;
    }
};

}  // namespace

TEST_CASE("words beside one another", "[ir]") {
    Bits b;
    const ExprId both = b.op(BinaryOp::Or, b.shifted(b.word(), 8), b.byte());
    const auto found = beside(b.body, b.values(), both);
    REQUIRE(found);
    CHECK(found->high == b.word());
    CHECK(found->low == b.byte());
    CHECK(found->width == 8);
    CHECK(!found->isPlaced);
    CHECK(beside(b.body, b.values(), b.op(BinaryOp::Or, b.byte(), b.shifted(b.word(), 8))));

    const ExprId overlap = b.op(BinaryOp::Or, b.shifted(b.word(), 7), b.byte());
    CHECK(!beside(b.body, b.values(), overlap));
    const ExprId sum = b.op(BinaryOp::Add, b.shifted(b.word(), 8), b.byte());
    CHECK(!beside(b.body, b.values(), sum));

    const ExprId above = b.op(BinaryOp::Or, b.byte(), b.number(0x1200));
    const auto constant = beside(b.body, b.values(), above);
    REQUIRE(constant);
    CHECK(constant->isPlaced);
    CHECK(constant->width == 9);
    CHECK(!beside(b.body, b.values(), b.op(BinaryOp::Or, b.byte(), b.number(0x80))));
}

TEST_CASE("a word several times", "[ir]") {
    Bits b;
    const auto find = [&](int factor) {
        const ExprId product = b.op(BinaryOp::Mul, b.byte(), b.number(factor));
        return repeated(b.body, b.values(), product);
    };
    const auto found = find(0x010101);
    REQUIRE(found);
    CHECK(found->operand == b.byte());
    CHECK(found->width == 8);
    CHECK(found->count == 3);
    REQUIRE(find(0x1001));
    CHECK(find(0x1001)->width == 12);
    for (const int factor : {0x11, 0x0101'0001, 0x0301, 3, 7, 256})
        CHECK(!find(factor));
}

TEST_CASE("bits in place of others", "[ir]") {
    Bits b;
    const ExprId kept = b.op(BinaryOp::And, b.word(), b.number(0xF00F));
    const ExprId cut = b.op(BinaryOp::And, b.word(), b.number(0x00FF));
    const auto find = [&](ExprId id) { return inserted(b.body, b.values(), id, 16); };

    const auto found = find(b.op(BinaryOp::Or, kept, b.shifted(b.byte(), 4)));
    REQUIRE(found);
    CHECK(found->operand == b.word());
    CHECK(found->value == b.byte());
    CHECK(found->low == 4);
    CHECK(found->width == 8);
    CHECK(!find(b.op(BinaryOp::Or, kept, b.shifted(b.byte(), 5))));
    CHECK(!find(b.op(BinaryOp::Or, kept, b.shifted(b.word(), 4))));
    CHECK(!find(b.op(BinaryOp::And, b.word(), b.number(0xF0F))));

    const auto top = find(b.op(BinaryOp::Or, cut, b.shifted(b.byte(), 8)));
    REQUIRE(top);
    CHECK(top->low == 8);
    CHECK(top->width == 8);
    CHECK(top->operand == b.word());

    const auto constant = find(b.op(BinaryOp::Or, kept, b.number(0x0120)));
    REQUIRE(constant);
    CHECK(constant->isPlaced);
    CHECK(!find(b.op(BinaryOp::Or, kept, b.number(0x1120))));
    const auto cleared = find(kept);
    REQUIRE(cleared);
    CHECK(!cleared->value.valid());
}

TEST_CASE("bits in place of others, at a place that varies", "[ir]") {
    Bits b;
    const ExprId place = b.op(BinaryOp::Mul, b.lane(), b.number(4));
    const ExprId hole = b.op(BinaryOp::Shl, b.number(15), place);
    const ExprId kept = b.op(BinaryOp::And, b.word(), b.builder.unary(UnaryOp::BitNot, hole));
    const ExprId nibble = b.builder.wrap(b.byte(), 4, false);
    const auto find = [&](ExprId part) {
        return inserted(b.body, b.values(), b.op(BinaryOp::Or, kept, part), 16);
    };
    const ExprId good = b.op(BinaryOp::Shl, nibble, place);
    const auto found = find(good);
    REQUIRE(found);
    CHECK(found->place == place);
    CHECK(found->width == 4);
    CHECK(found->value == nibble);
    CHECK(!find(b.op(BinaryOp::Shl, nibble, b.lane())));
    CHECK(!find(b.op(BinaryOp::Shl, b.byte(), place)));
}
