#include <catch2/catch.hpp>

#include "eval.h"

using namespace smec::ir;

namespace {

constexpr std::uint32_t kBools = 3;

struct Joined {
    Body body;
    Builder builder{body};
    std::vector<ExprId> bits;

    Joined() {
        for (std::uint32_t i = 0; i < kBools; ++i)
            body.locals.push_back(
                {"b", LocalKind::Param, {{ScalarKind::Bool, false, 1}, 0}, 0, std::nullopt});
        for (std::uint32_t i = 0; i < kBools; ++i)
            bits.push_back(builder.convert(ConvertOp::BoolToInt, builder.read({i}), ExprType::Int));
    }
    ExprId number(int value) { return builder.constant(Integer(value)); }
    ExprId cat(ExprId high, ExprId low, int shift = 1) {
        return builder.binary(BinaryOp::Or, builder.binary(BinaryOp::Shl, high, number(shift)),
                              low);
    }
    /// By the values of all bools, the first one in the lowest bit.
    std::vector<Integer> values(ExprId id) {
        std::vector<Integer> found;
        for (int k = 0; k < 1 << kBools; ++k)
            found.push_back(evaluation::evaluateExactly(body, {k & 1, k >> 1 & 1, k >> 2 & 1})[id]);
        return found;
    }
    bool is(ExprId id, BinaryOp op) {
        const auto* node = std::get_if<Binary>(&body[id].node);
        return node && node->op == op;
    }
};

}  // namespace

TEST_CASE("bits that are joined are compared one by one", "[ir]") {
    for (int wanted = 0; wanted < 9; ++wanted) {
        Joined j;
        const ExprId all = j.cat(j.cat(j.bits[2], j.bits[1]), j.bits[0]);
        const ExprId equal = j.builder.binary(BinaryOp::Eq, all, j.number(wanted));
        const ExprId other = j.builder.binary(BinaryOp::Ne, all, j.number(wanted));
        if (wanted < 8) CHECK(j.is(equal, BinaryOp::BoolAnd));
        if (wanted < 8) CHECK(j.is(other, BinaryOp::BoolOr));
        for (int k = 0; k < 8; ++k) {
            CHECK(j.values(equal)[static_cast<std::size_t>(k)] == (k == wanted ? 1 : 0));
            CHECK(j.values(other)[static_cast<std::size_t>(k)] == (k == wanted ? 0 : 1));
        }
    }
}

TEST_CASE("zeros below what is compared decide, or go", "[ir]") {
    Joined j;
    const ExprId moved = j.builder.binary(BinaryOp::Shl, j.cat(j.bits[1], j.bits[0]), j.number(3));
    CHECK(*j.builder.boolean(j.builder.binary(BinaryOp::Eq, moved, j.number(9))) == false);
    const ExprId equal = j.builder.binary(BinaryOp::Eq, moved, j.number(16));
    CHECK(j.is(equal, BinaryOp::BoolAnd));
    CHECK(j.values(equal) == std::vector<Integer>{0, 0, 1, 0, 0, 0, 1, 0});
}

TEST_CASE("a bit that is repeated is one mask", "[ir]") {
    Joined j;
    ExprId sign = j.bits[2];
    for (int i = 0; i < 19; ++i)
        sign = j.cat(sign, j.bits[2]);
    const auto* choice = std::get_if<Select>(&j.body[sign].node);
    REQUIRE(choice);
    CHECK(*j.builder.integer(choice->yes) == 0xfffff);
    CHECK(j.values(sign)[3] == 0);
    CHECK(j.values(sign)[4] == 0xfffff);
    // below another one
    const ExprId mixed = j.cat(j.cat(j.cat(j.bits[0], j.bits[1]), j.bits[1]), j.bits[1]);
    CHECK(j.values(mixed) == std::vector<Integer>{0, 8, 7, 15, 0, 8, 7, 15});
    const auto* joined = std::get_if<Binary>(&j.body[mixed].node);
    REQUIRE(joined);
    CHECK(std::holds_alternative<Select>(j.body[joined->right].node));
}
