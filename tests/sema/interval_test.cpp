#include <catch2/catch.hpp>

#include <optional>

#include "sema/interval.h"

// The checker's intervals decide what may be stored and what is too wide, so their bounds are part
// of the language: here against every value that operators give on small operands.

using namespace smec;
using hir::BinaryOp;
using hir::Integer;
using sema::Interval;

namespace {

constexpr int kMost = 5;

/// What the operator gives; nothing where it is not defined.
std::optional<Integer> value(BinaryOp op, const Integer& a, const Integer& b) {
    switch (op) {
    case BinaryOp::Add: return Integer(a + b);
    case BinaryOp::Sub: return Integer(a - b);
    case BinaryOp::Mul: return Integer(a * b);
    case BinaryOp::Div: return b == 0 ? std::nullopt : std::optional(Integer(a / b));
    case BinaryOp::Mod: return b == 0 ? std::nullopt : std::optional(Integer(a % b));
    case BinaryOp::Shl: return Integer(a * (Integer(1) << b.convert_to<unsigned>()));
    case BinaryOp::Shr: return hir::shiftedRight(a, b.convert_to<unsigned>());
    // on machine integers: two's complement
    case BinaryOp::And: return Integer(a.convert_to<int>() & b.convert_to<int>());
    case BinaryOp::Or: return Integer(a.convert_to<int>() | b.convert_to<int>());
    default: return Integer(a.convert_to<int>() ^ b.convert_to<int>());
    }
}

template <typename F>
void forEachInterval(int least, F&& use) {
    for (int low = least; low <= kMost; ++low) {
        for (int high = low; high <= kMost; ++high)
            use(Interval{low, high});
    }
}

/// Calls `use` with operands, what the interval says and what the values say.
template <typename F>
void forEachPair(BinaryOp op, F&& use) {
    const int least = op == BinaryOp::Shl || op == BinaryOp::Shr ? 0 : -kMost;
    forEachInterval(-kMost, [&](const Interval& x) {
        forEachInterval(least, [&](const Interval& y) {
            std::optional<Interval> all;
            for (Integer a = x.low; a <= x.high; ++a) {
                for (Integer b = y.low; b <= y.high; ++b) {
                    const auto one = value(op, a, b);
                    if (one) all = all ? sema::unite(*all, Interval::of(*one)) : Interval::of(*one);
                }
            }
            if (all) use(x, y, sema::apply(op, x, y), *all);
        });
    });
}

bool equal(const Interval& x, const Interval& y) {
    return x.low == y.low && x.high == y.high && x.unbounded == y.unbounded;
}

Integer powerOfTwo(std::uint32_t n) { return Integer(1) << n; }

}  // namespace

TEST_CASE("bounds of arithmetic are reached in the checker", "[sema]") {
    for (const BinaryOp op : {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div,
                              BinaryOp::Shl, BinaryOp::Shr}) {
        std::size_t wrong = 0;
        forEachPair(op, [&](const Interval&, const Interval&, const Interval& found,
                            const Interval& all) { wrong += !equal(found, all); });
        INFO(static_cast<int>(op));
        CHECK(wrong == 0);
    }
}

TEST_CASE("bounds of remainders and bitwise operators hold all values", "[sema]") {
    for (const BinaryOp op : {BinaryOp::Mod, BinaryOp::And, BinaryOp::Or, BinaryOp::Xor}) {
        std::size_t outside = 0, signs = 0, wide = 0;
        forEachPair(op, [&](const Interval& x, const Interval& y, const Interval& found,
                            const Interval& all) {
            outside += !found.contains(all);
            signs += x.low >= 0 && y.low >= 0 && found.low < 0;
            wide += found.high > 7 || found.low < -8;  // -5 to 5 fit four bits
        });
        INFO(static_cast<int>(op));
        CHECK(outside == 0);
        CHECK(signs == 0);
        CHECK(wide == 0);
    }
    for (int n = 1; n <= kMost; ++n) {
        forEachInterval(-kMost, [&](const Interval& x) {
            const Interval rest = sema::apply(BinaryOp::Mod, x, Interval::of(n));
            CHECK(rest.high == std::clamp(x.high, Integer(0), Integer(n - 1)));
            CHECK(rest.low == std::clamp(x.low, Integer(1 - n), Integer(0)));
            const Interval natural{0, n}, both = sema::apply(BinaryOp::And, x, natural);
            CHECK(both.low == 0);
            CHECK(both.high == (x.low < 0 ? Integer(n) : std::min(x.high, Integer(n))));
            CHECK(equal(sema::apply(BinaryOp::And, natural, x), both));
        });
    }
}

TEST_CASE("bounds of builtins are reached in the checker", "[sema]") {
    forEachInterval(-kMost, [](const Interval& x) {
        CHECK(equal(sema::negate(x), {-x.high, -x.low}));
        const Integer a = abs(x.low), b = abs(x.high);
        const bool crosses = x.low < 0 && x.high > 0;
        CHECK(equal(sema::absolute(x), {crosses ? Integer(0) : std::min(a, b), std::max(a, b)}));
        forEachInterval(-kMost, [&](const Interval& y) {
            const Interval least = sema::minimum(x, y), most = sema::maximum(x, y);
            if (!equal(least, {std::min(x.low, y.low), std::min(x.high, y.high)})
                || !equal(most, {std::max(x.low, y.low), std::max(x.high, y.high)}))
                FAIL_CHECK("min or max");
        });
    });
}

TEST_CASE("65,536 bits are bounds, one more is none", "[sema]") {
    const Integer most = powerOfTwo(65536) - 1, least = -powerOfTwo(65535);
    const Interval one = Interval::of(1), all = Interval::everything();
    CHECK_FALSE(sema::apply(BinaryOp::Add, Interval::of(most - 1), one).unbounded);
    CHECK(sema::apply(BinaryOp::Add, Interval::of(most), one).unbounded);
    CHECK_FALSE(sema::apply(BinaryOp::Sub, Interval::of(least + 1), one).unbounded);
    CHECK(sema::apply(BinaryOp::Sub, Interval::of(least), one).unbounded);
    CHECK_FALSE(sema::apply(BinaryOp::Shl, one, Interval::of(65535)).unbounded);
    CHECK(sema::apply(BinaryOp::Shl, one, Interval::of(65536)).unbounded);
    CHECK(sema::apply(BinaryOp::Shl, one, all).unbounded);
    CHECK(equal(sema::apply(BinaryOp::Shl, Interval::of(0), all), Interval::of(0)));
    const Interval half{0, powerOfTwo(32768) - 1};
    CHECK_FALSE(sema::apply(BinaryOp::Mul, half, half).unbounded);
    CHECK(sema::apply(BinaryOp::Mul, half, Interval{0, powerOfTwo(32769)}).unbounded);

    for (const BinaryOp op : {BinaryOp::Add, BinaryOp::Mul, BinaryOp::Or, BinaryOp::Xor}) {
        CHECK(sema::apply(op, all, one).unbounded);
        CHECK(sema::apply(op, one, all).unbounded);
    }
    CHECK(equal(sema::apply(BinaryOp::And, all, {0, 9}), {0, 9}));
    CHECK(equal(sema::apply(BinaryOp::And, {0, 9}, all), {0, 9}));
    CHECK(sema::apply(BinaryOp::And, all, {-1, 9}).unbounded);
    CHECK(sema::apply(BinaryOp::And, {-1, 9}, all).unbounded);
    for (const BinaryOp op : {BinaryOp::And, BinaryOp::Or, BinaryOp::Xor}) {
        const Interval widest{least, -least - 1};  // an i65536
        CHECK_FALSE(sema::apply(op, widest, widest).unbounded);
    }
    CHECK(equal(sema::apply(BinaryOp::Mod, all, {3, 4}), {-3, 3}));
    CHECK(equal(sema::apply(BinaryOp::Mod, {5, 9}, all), {0, 9}));
    CHECK(equal(sema::apply(BinaryOp::Mod, {-9, -5}, all), {-9, 0}));
    CHECK(equal(sema::apply(BinaryOp::Div, {-2, 9}, all), {-9, 9}));
    CHECK(equal(sema::apply(BinaryOp::Shr, {-3, 9}, all), {-3, 9}));
    CHECK(sema::apply(BinaryOp::Shr, all, one).unbounded);
    CHECK(sema::negate(all).unbounded);
    CHECK(sema::absolute(all).unbounded);
    CHECK(sema::minimum(all, one).unbounded);
    CHECK(sema::maximum(one, all).unbounded);
    CHECK(sema::unite(one, all).unbounded);
}
