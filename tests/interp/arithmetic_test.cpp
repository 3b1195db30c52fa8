#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

#include "interp/arithmetic.h"

namespace smec::interp {

using hir::BinaryOp;

namespace {

Integer exact(BinaryOp op, const Integer& a, const Integer& b) {
    return toInteger(binary(op, number(a), number(b)));
}

/// Numbers around the places where representations change.
std::vector<Integer> samples() {
    std::vector<Integer> list;
    for (const unsigned bits : {0U, 1U, 7U, 31U, 62U, 63U, 64U, 65U, 127U, 200U}) {
        for (int off = -2; off <= 2; ++off) {
            list.push_back((Integer(1) << bits) + off);
            list.push_back(-(Integer(1) << bits) + off);
        }
    }
    return list;
}

/// Two's complement in so many bits that none of the samples is cut.
const Integer kModulus = Integer(1) << 500;
Integer pattern(const Integer& a) { return a < 0 ? Integer(a + kModulus) : a; }
Integer fromPattern(const Integer& bits) {
    return bits >= kModulus / 2 ? Integer(bits - kModulus) : bits;
}

}  // namespace

TEST_CASE("small and large numbers obey the same arithmetic") {
    for (const Integer& a : samples()) {
        for (const Integer& b : samples()) {
            REQUIRE(exact(BinaryOp::Add, a, b) == a + b);
            REQUIRE(exact(BinaryOp::Sub, a, b) == a - b);
            REQUIRE(exact(BinaryOp::Mul, a, b) == a * b);
            if (b != 0) REQUIRE(exact(BinaryOp::Div, a, b) * b + exact(BinaryOp::Mod, a, b) == a);
            if (b != 0) REQUIRE(abs(exact(BinaryOp::Mod, a, b)) < abs(b));
            REQUIRE(exact(BinaryOp::Lt, a, b) == (a < b));
            REQUIRE(exact(BinaryOp::Eq, a, b) == (a == b));
            REQUIRE(exact(BinaryOp::And, a, b) == fromPattern(pattern(a) & pattern(b)));
            REQUIRE(exact(BinaryOp::Or, a, b) == fromPattern(pattern(a) | pattern(b)));
            REQUIRE(exact(BinaryOp::Xor, a, b) == fromPattern(pattern(a) ^ pattern(b)));
        }
    }
}

TEST_CASE("division truncates toward zero") {
    CHECK(exact(BinaryOp::Div, -7, 2) == -3);
    CHECK(exact(BinaryOp::Mod, -7, 2) == -1);
    CHECK(exact(BinaryOp::Div, Integer(std::numeric_limits<std::int64_t>::min()), -1)
          == Integer(1) << 63);
}

TEST_CASE("shifts are exact, the right one rounds down") {
    for (const Integer& a : samples()) {
        for (const unsigned n : {0U, 1U, 5U, 63U, 64U, 65U, 300U}) {
            const Integer power = Integer(1) << n;
            REQUIRE(exact(BinaryOp::Shl, a, n) == a * power);
            Integer down = a / power;
            if (a < 0 && down * power != a) --down;
            REQUIRE(exact(BinaryOp::Shr, a, n) == down);
        }
    }
    CHECK(exact(BinaryOp::Shr, -5, Integer(1) << 90) == -1);
    CHECK(exact(BinaryOp::Shr, 5, Integer(1) << 90) == 0);
    CHECK(exact(BinaryOp::Shl, 5, Integer(1) << 90) == 0);
}

TEST_CASE("wrap agrees with the definition at every width") {
    for (const Integer& a : samples()) {
        for (const std::uint32_t width : {1U, 3U, 8U, 63U, 64U, 65U, 128U, 199U}) {
            for (const bool isSigned : {false, true})
                REQUIRE(toInteger(wrap(number(a), width, isSigned))
                        == hir::wrap(a, width, isSigned));
        }
    }
}

TEST_CASE("complement flips the bits of the operand type") {
    CHECK(toInteger(complement(small(5), 8, false)) == 250);
    CHECK(toInteger(complement(small(300), 8, false)) == 255 - 300 % 256);
    CHECK(toInteger(complement(small(5), 8, true)) == -6);
}

TEST_CASE("bits and slices of two's complement without end") {
    CHECK(bitOf(small(-1), 100));
    CHECK_FALSE(bitOf(small(2), 100));
    CHECK(toInteger(bitsOf(small(-3), 7, 6)) == 3);
    CHECK(toInteger(bitsOf(number(Integer(0x1234) << 100), 111, 104)) == 0x23);
    CHECK(toInteger(withBits(small(0), 7, 4, small(-1))) == 0xF0);
    CHECK(toInteger(wrap(withBits(small(-1), 70, 64, small(0)), 72, false))
          == (Integer(1) << 71) + (Integer(1) << 64) - 1);
    CHECK(toInteger(append(small(9), small(0xE5), 8)) == 0x9E5);
    CHECK(popcount(number((Integer(1) << 199) + 7)) == 4);
    CHECK(toInteger(magnitude(small(std::numeric_limits<std::int64_t>::min())))
          == Integer(1) << 63);
}

TEST_CASE("integers become floats with one rounding") {
    std::mt19937_64 generator(1);
    for (int i = 0; i < 2000; ++i) {
        const std::uint64_t bits = generator() >> (generator() % 64);
        REQUIRE(std::get<double>(toFloat(unsignedNumber(bits), 64).data)
                == static_cast<double>(bits));
        REQUIRE(std::get<float>(toFloat(unsignedNumber(bits), 32).data)
                == static_cast<float>(bits));
    }
    // Half-way cases far above 64 bits: to even, and up when anything is set below.
    const Integer half = (Integer(1) << 200) + (Integer(1) << 147);
    CHECK(std::get<double>(toFloat(number(half), 64).data) == std::ldexp(1.0, 200));
    CHECK(std::get<double>(toFloat(number(half + 1), 64).data)
          == std::ldexp(1.0, 200) + std::ldexp(1.0, 148));
    CHECK(std::get<double>(toFloat(number(-half - 1), 64).data)
          == -std::ldexp(1.0, 200) - std::ldexp(1.0, 148));
    CHECK(std::isinf(std::get<double>(toFloat(number(Integer(1) << 2000), 64).data)));
}

TEST_CASE("floats become integers by truncation and saturation") {
    const auto toI16 = [](double value) {
        return toInteger(toSaturated(real(value), -32768, 32767));
    };
    CHECK(toI16(-2.75) == -2);
    CHECK(toI16(5.99) == 5);
    CHECK(toI16(1e9) == 32767);
    CHECK(toI16(-1e300) == -32768);
    CHECK(toI16(std::nan("")) == 0);
    CHECK(toI16(-0.0) == 0);
    CHECK(toI16(1e-300) == 0);
    CHECK(toI16(std::numeric_limits<double>::infinity()) == 32767);
    CHECK(toInteger(toSaturated(real(std::ldexp(3.0, 100)), 0, Integer(1) << 200))
          == Integer(3) << 100);
    CHECK(toInteger(toSaturated(real(2251799813685249.5), 0, Integer(1) << 60))
          == 2251799813685249);
}

TEST_CASE("NaN is canonical") {
    const Value nan = binary(BinaryOp::Div, real(-0.0), real(0.0));
    CHECK_FALSE(std::signbit(std::get<double>(nan.data)));
    CHECK_FALSE(std::signbit(std::get<double>(negate(nan).data)));
}

}  // namespace smec::interp
