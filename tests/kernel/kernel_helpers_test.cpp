#include <catch2/catch.hpp>

#include <limits>
#include <vector>

#include <sme/kernel.h>
#include <sme/wide.h>

using namespace sme::words;

TEST_CASE("shifts take any count", "[kernel]") {
    CHECK(sme::shiftLeft(u32(1), u8(31)) == 0x80000000u);
    CHECK(sme::shiftLeft(u32(1), u64(32)) == 0);
    CHECK(sme::shiftLeft(u8(3), 7) == 0x80);
    CHECK(sme::shiftLeft(u128(1), u128(127)) == u128(1) << 127);
    CHECK(sme::shiftLeft(u128(1), u128(1) << 100) == 0);
    CHECK(sme::shiftRight(i32(-5), 1) == -3);
    CHECK(sme::shiftRight(i32(-5), 99) == -1);
    CHECK(sme::shiftRight(u32(5), 99) == 0);
    CHECK(sme::shiftRight(i8(-1), u64(1) << 40) == -1);
}

TEST_CASE("division truncates and never traps", "[kernel]") {
    CHECK(sme::divide(i32(-7), i32(2)) == -3);
    CHECK(sme::modulo(i32(-7), i32(2)) == -1);
    CHECK(sme::divide(u32(7), u32(0)) == 0);
    CHECK(sme::modulo(u32(7), u32(0)) == 7);
    CHECK(sme::divide(i128(-7), i128(2)) == -3);
}

TEST_CASE("indices stay in bounds", "[kernel]") {
    CHECK(sme::within(i32(-1), 4) == 0);
    CHECK(sme::within(u64(3), 4) == 3);
    CHECK(sme::within(u64(4), 4) == 0);
    CHECK(sme::within(u8(200), 4) == 0);
}

TEST_CASE("what a log tells is taken over", "[kernel]") {
    const u16 from[4] = {1, 2, 3, 4};
    u16 to[4] = {};
    const u32 places[3] = {2, 9, 2};  // beyond the end: of a state from anywhere
    sme::replayEach<u16>(to, from, 4, places, 3);
    CHECK(std::vector<u16>(to, to + 4) == std::vector<u16>{0, 0, 3, 0});
    u32 counted[4] = {2, 0, 9, 3};
    sme::replay<u16>(to, from, 4, counted, 4);
    CHECK(std::vector<u16>(to, to + 4) == std::vector<u16>{1, 0, 3, 0});
    CHECK(counted[0] == 0);
    counted[0] = 3;
    sme::replay<u16>(to, from, 4, counted, 4);
    CHECK(std::vector<u16>(to, to + 4) == std::vector<u16>{1, 2, 3, 4});
}

TEST_CASE("bits", "[kernel]") {
    CHECK(sme::signExtend<9>(u32(0x1ff)) == -1);
    CHECK(sme::signExtend<9>(u32(0x0ff)) == 255);
    CHECK(sme::signExtend<100>(u128(1) << 99) == -(i128(1) << 99));
    CHECK(sme::popcount(u8(0xff)) == 8);
    CHECK(sme::popcount(~u128(0)) == 128);
    CHECK(sme::parity(u64(7)));
    CHECK_FALSE(sme::parity((u128(1) << 100) | 1));
    CHECK(sme::absolute(i64(-5)) == 5);
    CHECK(sme::minimum(i8(-1), i8(1)) == -1);
    CHECK(sme::maximum(u32(3), u32(5)) == 5);
    CHECK(sme::word128(1, 2) == (u128(1) << 64) + 2);
}

TEST_CASE("floats become integers by truncation and saturation", "[kernel]") {
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();
    CHECK(sme::toInteger<8, false>(255.9) == 255);
    CHECK(sme::toInteger<8, false>(256.0) == 255);
    CHECK(sme::toInteger<8, false>(-0.9) == 0);
    CHECK(sme::toInteger<8, false>(-5.0) == 0);
    CHECK(sme::toInteger<8, true>(-128.9) == -128);
    CHECK(sme::toInteger<8, true>(-129.0) == -128);
    CHECK(sme::toInteger<5, true>(100.0f) == 15);
    CHECK(sme::toInteger<64, true>(9.3e18) == std::numeric_limits<i64>::max());
    CHECK(sme::toInteger<64, true>(-infinity) == std::numeric_limits<i64>::min());
    CHECK(sme::toInteger<64, false>(infinity) == ~u64(0));
    CHECK(sme::toInteger<32, true>(nan) == 0);
    CHECK(sme::toInteger<128, false>(std::numeric_limits<float>::infinity()) == ~u128(0));
    CHECK(sme::toInteger<1, true>(-1.0) == -1);
    CHECK(sme::toInteger<1, true>(1.0) == 0);
}

TEST_CASE("NaN has one form", "[kernel]") {
    CHECK(sme::bitsOfFloat(sme::canonical(-std::numeric_limits<double>::quiet_NaN()))
          == 0x7ff8000000000000u);
    CHECK(sme::bitsOfFloat(sme::canonical(std::numeric_limits<float>::signaling_NaN()))
          == 0x7fc00000u);
    CHECK(sme::bitsOfFloat(sme::canonicalInLanes(-std::numeric_limits<double>::quiet_NaN()))
          == sme::bitsOfFloat(sme::canonical(std::numeric_limits<double>::quiet_NaN())));
    CHECK(sme::bitsOfFloat(sme::canonicalInLanes(std::numeric_limits<float>::signaling_NaN()))
          == sme::bitsOfFloat(sme::canonical(std::numeric_limits<float>::quiet_NaN())));
    for (const double x : {-0.0, 0.0, 1.5, -std::numeric_limits<double>::infinity()}) {
        CHECK(sme::bitsOfFloat(sme::canonicalInLanes(x)) == sme::bitsOfFloat(x));
        CHECK(sme::bitsOfFloat(sme::choose<double>(true, x, 2)) == sme::bitsOfFloat(x));
        CHECK(sme::choose<double>(false, x, 2) == 2);
    }
    CHECK(sme::choose<float>(true, 0.25F, 3) == 0.25F);
    CHECK(sme::canonical(-0.0) == 0.0);
    CHECK(sme::bitsOfFloat(sme::canonical(-0.0)) == u64(1) << 63);
}

TEST_CASE("arguments are 128-bit two's complement", "[kernel]") {
    CHECK(sme::argument(i8(-1)).hi == ~u64(0));
    CHECK(sme::argument(u64(5)).hi == 0);
    CHECK(sme::argument(u128(1) << 64).hi == 1);
    CHECK(sme::argument(true).lo == 1);
}

TEST_CASE("the segment of an instance is found", "[kernel]") {
    const u32 table[] = {0, 1, 0, 1, 254, 0, 255, 1, 0, 256, 10, 0};
    CHECK(sme::firstSegment(table, 4, 3, 0) == table);
    CHECK(sme::firstSegment(table, 4, 3, 1) == table + 3);
    CHECK(sme::firstSegment(table, 4, 3, 254) == table + 3);
    CHECK(sme::firstSegment(table, 4, 3, 255) == table + 6);
    CHECK(sme::firstSegment(table, 4, 3, 265) == table + 9);
    CHECK(sme::firstSegment(table, 1, 3, 0) == table);
}

TEST_CASE("wide integers", "[kernel][wide]") {
    using U = sme::Unsigned<256>;
    using S = sme::Signed<256>;
    const U large = (U(1) << 200u) + U(12345);
    CHECK(u64(large % U(1000)) == u64((U(1) << 200u) % U(1000) + U(345)) % 1000);
    CHECK(large / ((U(1) << 100u) + U(1)) * ((U(1) << 100u) + U(1))
              + large % ((U(1) << 100u) + U(1))
          == large);
    CHECK(S(-7) / S(2) == S(-3));
    CHECK(S(-7) % S(2) == S(-1));
    CHECK((S(-7) >> 1u) == S(-4));
    CHECK(sme::shiftRight(S(-7), 1000) == S(-1));
    CHECK(S(-7) < S(3));
    CHECK(U(S(-1)) == ~U(0));
    CHECK(f64(S(-3)) == -3.0);
    CHECK(f64(U((U(1) << 100u) + U(1))) == 1267650600228229401496703205376.0);
    CHECK(sme::toWideInteger<200, true>(-1.5e30) == -S(sme::toWideInteger<200, false>(1.5e30)));
    CHECK(sme::toWideInteger<200, true>(1e300) == (S(1) << 199u) - S(1));
    CHECK(sme::popcount(~U(0)) == 256);
    CHECK(sme::signExtend<150>(U(1) << 149u) == -(S(1) << 149u));
    CHECK(sme::within(U(1) << 70u, 4) == 0);
}
