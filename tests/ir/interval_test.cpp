#include <catch2/catch.hpp>

#include <optional>

#include "ir/analysis.h"
#include "ir/arithmetic.h"

// What intervals say of small operands, against every value that operators give there.
// `analysis_test.cpp` asks that no value lies outside; here, that the bounds are the values' own.

using namespace smec::ir;

namespace {

constexpr int kMost = 9;

Interval bounds(UnaryOp op, const Interval& x) { return apply(op, x); }
Interval bounds(BinaryOp op, const Interval& x, const Interval& y) { return apply(op, x, y); }

/// The least and the largest of the values; nothing when the operator has none there.
template <typename F>
std::optional<Interval> valuesOf(const Interval& x, const Interval& y, F&& f) {
    std::optional<Interval> all;
    for (Integer a = x.low; a <= x.high; ++a) {
        for (Integer b = y.low; b <= y.high; ++b) {
            const std::optional<Integer> value = f(a, b);
            if (value) all = all ? hull(*all, {*value, *value}) : Interval{*value, *value};
        }
    }
    return all;
}

template <typename F>
void forEachInterval(int least, int most, F&& use) {
    for (int low = least; low <= most; ++low) {
        for (int high = low; high <= most; ++high)
            use(Interval{low, high});
    }
}

std::string text(BinaryOp op, const Interval& x, const Interval& y) {
    return std::to_string(static_cast<int>(op)) + ": " + x.low.str() + ".." + x.high.str() + ", "
           + y.low.str() + ".." + y.high.str();
}

}  // namespace

TEST_CASE("bounds of arithmetic are reached", "[ir]") {
    for (const BinaryOp op : {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div,
                              BinaryOp::Shr, BinaryOp::Min, BinaryOp::Max}) {
        forEachInterval(-4, 4, [&](const Interval& x) {
            forEachInterval(op == BinaryOp::Shr ? 0 : -4, 4, [&](const Interval& y) {
                const auto all = valuesOf(
                    x, y, [&](const Integer& a, const Integer& b) { return apply(op, a, b); });
                if (all && apply(op, x, y) != *all) FAIL_CHECK(text(op, x, y));
            });
        });
    }
}

TEST_CASE("a remainder and an and with a constant have the bounds that a range needs", "[ir]") {
    forEachInterval(0, kMost, [](const Interval& x) {
        for (int n = 1; n <= kMost; ++n) {
            const Interval rest = bounds(BinaryOp::Mod, x, {n, n});
            CHECK(rest.high == std::min(x.high, Integer(n - 1)));
            CHECK(rest.low == (x.high < n ? x.low : 0));
            CHECK(bounds(BinaryOp::Mod, {-x.high, -x.low}, {n, n})
                  == Interval{-rest.high, -rest.low});
            CHECK(bounds(BinaryOp::Mod, x, {-n, -n}) == rest);
            CHECK(bounds(BinaryOp::And, x, {n, n}) == Interval{0, std::min(x.high, Integer(n))});
            CHECK(bounds(BinaryOp::And, {-5, 7}, {n, n}) == Interval{0, n});
        }
    });
}

TEST_CASE("bounds of bitwise operators keep signs and widths", "[ir]") {
    for (const BinaryOp op : {BinaryOp::And, BinaryOp::Or, BinaryOp::Xor}) {
        forEachInterval(-kMost, kMost, [&](const Interval& x) {
            forEachInterval(-kMost, kMost, [&](const Interval& y) {
                const auto all = valuesOf(
                    x, y, [&](const Integer& a, const Integer& b) { return apply(op, a, b); });
                const Interval found = bounds(op, x, y);
                const bool isSound = found.low <= all->low && all->high <= found.high;
                const bool isSigned = x.low < 0 || y.low < 0;
                const std::uint32_t bits = std::max(bitsOf(x, isSigned), bitsOf(y, isSigned));
                if (!isSound || bitsOf(found, isSigned || found.low < 0) > bits)
                    FAIL_CHECK(text(op, x, y));
            });
        });
    }
}

TEST_CASE("bounds of operators with one operand are reached", "[ir]") {
    for (const UnaryOp op : {UnaryOp::Neg, UnaryOp::BitNot, UnaryOp::Abs}) {
        forEachInterval(-kMost, kMost, [&](const Interval& x) {
            const auto all = valuesOf(x, {0, 0}, [&](const Integer& a, const Integer&) {
                return op == UnaryOp::Neg      ? Integer(-a)
                       : op == UnaryOp::BitNot ? Integer(-a - 1)
                                               : Integer(abs(a));
            });
            CHECK(bounds(op, x) == *all);
        });
    }
    CHECK(bounds(UnaryOp::Popcount, {0, 8}) == Interval{0, 4});
    CHECK(bounds(UnaryOp::Popcount, {1, 7}) == Interval{1, 3});
}

TEST_CASE("what is stored lies where its values wrap to", "[ir]") {
    for (const bool isSigned : {false, true}) {
        for (const std::uint32_t width : {1U, 2U, 3U}) {
            forEachInterval(-2 * kMost, 2 * kMost, [&](const Interval& x) {
                const auto all = valuesOf(x, {0, 0}, [&](const Integer& a, const Integer&) {
                    return std::optional(wrapInteger(a, width, isSigned));
                });
                CHECK(wrapInterval(x, width, isSigned) == *all);
            });
        }
    }
}

TEST_CASE("with an operand that may be anything, bounds stay where they must", "[ir]") {
    const Interval all = unbounded(), some{-3, 9};
    CHECK(isUnbounded(all));
    CHECK_FALSE(isUnbounded(some));
    CHECK(bounds(BinaryOp::And, all, {0, 9}) == Interval{0, 9});
    CHECK(bounds(BinaryOp::And, {0, 9}, all) == Interval{0, 9});
    CHECK(isUnbounded(bounds(BinaryOp::And, some, all)));
    CHECK(bounds(BinaryOp::Mod, all, {4, 4}) == Interval{-3, 3});
    CHECK(bounds(BinaryOp::Mod, {4, 9}, all) == Interval{0, 9});
    CHECK(bounds(BinaryOp::Min, all, some).high == 9);
    CHECK(bounds(BinaryOp::Min, all, some).low == all.low);
    CHECK(bounds(BinaryOp::Max, some, all).low == -3);
    CHECK(bounds(BinaryOp::Max, some, all).high == all.high);
    CHECK(bounds(BinaryOp::Shr, some, all) == Interval{-3, 9});
    CHECK(isUnbounded(bounds(BinaryOp::Add, all, some)));
    CHECK(isUnbounded(bounds(BinaryOp::Shr, all, some)));
}
