#include "values/format.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <limits>

#include "output/report.h"
#include "test_models.h"
#include "values/value.h"

using namespace sme;

namespace {

__extension__ using Int128 = __int128;

constexpr EnumMember kState[] = {{"IDLE", 0}, {"RUN", 4}};
constexpr EnumMember kSigned[] = {{"DOWN", ~std::uint64_t{0}}, {"UP", 1}};
constexpr StructMember kPoint[] = {{"x", 0, 0, 0}, {"y", 1, 1, 1}};
// 0 u8, 1 i8, 2 enum, 3 [3]u8, 4 struct, 5 signed enum, 6 u200, 7 i200, 8 [2]struct, 9 f32, 10
// bool, 11 and 12 ranges beyond 64 bits, 13 an enum of 66 bits
constexpr std::uint64_t kLongWord[] = {~std::uint64_t{0}, ~std::uint64_t{0}, 5,
                                       1};  // -1 to 2^64 + 5
constexpr std::uint64_t kFar[] = {7, 0, 7, 1, ~std::uint64_t{0}, ~std::uint64_t{0} - 1};
constexpr EnumMember kLongEnum[] = {
    {"NEAR", 7, kFar}, {"FAR", 7, kFar + 2}, {"BACK", ~std::uint64_t{0}, kFar + 4}};
constexpr std::uint64_t kUpper[] = {std::uint64_t{1} << 63, ~std::uint64_t{0} - 1};
const Type kTypes[] = {
    {Kind::Unsigned, 8, 1, "u8", 0, 0, nullptr, nullptr, 0, 0},
    {Kind::Signed, 8, 1, "i8", 0, 0, nullptr, nullptr, 0, 0},
    {Kind::Enum, 3, 1, "state", 0, 2, kState, nullptr, 0, 0},
    {Kind::Array, 0, 3, "[3]u8", 0, 3, nullptr, nullptr, 0, 0},
    {Kind::Struct, 0, 2, "point", 0, 2, nullptr, kPoint, 0, 0},
    {Kind::Enum, 2, 1, "way", 0, 2, kSigned, nullptr, 0, 0},
    {Kind::Unsigned, 200, 32, "u200", 0, 0, nullptr, nullptr, 0, 0},
    {Kind::Signed, 200, 32, "i200", 0, 0, nullptr, nullptr, 0, 0},
    {Kind::Array, 0, 4, "[2]point", 4, 2, nullptr, nullptr, 0, 0},
    {Kind::F32, 32, 4, "f32", 0, 0, nullptr, nullptr, 0, 0},
    {Kind::Bool, 1, 1, "bool", 0, 0, nullptr, nullptr, 0, 0},
    {Kind::Signed, 66, 16, "i66", 0, 0, nullptr, nullptr, 0, 0, kLongWord},
    {Kind::Unsigned, 64, 8, "u64", 0, 0, nullptr, nullptr, 0, 0, kUpper},
    {Kind::Enum, 66, 16, "place", 0, 3, kLongEnum, nullptr, -1, 0},
};

const Model& types() {
    static const Model model = [] {
        Model m{};
        m.types = kTypes;
        m.typeCount = std::size(kTypes);
        return m;
    }();
    return model;
}

std::string show(const char* format, ArgFormat argument, Arg arg) {
    const TraceSite site{format, &argument, 1};
    std::string out;
    appendText(out, types(), site, &arg);
    return out;
}
std::string integer(const char* format, Int128 value, std::uint32_t bits = 32) {
    return show(format, {value < 0 ? ArgKind::Signed : ArgKind::Unsigned, bits, 0},
                {static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64)});
}
std::string floating(const char* format, double value) {
    Arg arg{};
    std::memcpy(&arg.lo, &value, sizeof value);
    return show(format, {ArgKind::F64, 64, 0}, arg);
}
std::string single(float value) {
    Arg arg{};
    std::memcpy(&arg.lo, &value, sizeof value);
    return show("{}", {ArgKind::F32, 32, 0}, arg);
}
template <typename T>
std::string typed(const char* format, std::uint32_t type, const T& value) {
    return show(format, {ArgKind::Typed, 0, type}, {reinterpret_cast<std::uint64_t>(&value), 0});
}

struct Wide {
    std::uint64_t limbs[4];
};

}  // namespace

TEST_CASE("format: plain text and braces") {
    CHECK(integer("", 1).empty());
    CHECK(integer("no argument", 1) == "no argument");
    CHECK(integer("{{{}}} {{}}", 7) == "{7} {}");
    CHECK(integer("%s %d \\ {}%", 7) == "%s %d \\ 7%");
}

TEST_CASE("format: integers") {
    CHECK(integer("{}", 0) == "0");
    CHECK(integer("{}", -5) == "-5");
    CHECK(integer("{:5}|", 42) == "   42|");
    CHECK(integer("{:05}", 42) == "00042");
    CHECK(integer("{:05}", -42) == "-0042");
    CHECK(integer("{:5d}", -42) == "  -42");
    CHECK(integer("{:2}", 12345) == "12345");
    CHECK(integer("{}", std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
    CHECK(integer("{}", Int128{std::numeric_limits<std::int64_t>::min()})
          == "-9223372036854775808");
    CHECK(integer("{}", Int128{std::numeric_limits<std::int64_t>::min()} - 1)
          == "-9223372036854775809");
    CHECK(integer("{}", Int128{1} << 80) == "1208925819614629174706176");
    CHECK(integer("{}", -(Int128{1} << 80)) == "-1208925819614629174706176");
    CHECK(show("{}", {ArgKind::Signed, 128, 0}, {0, std::uint64_t{1} << 63})
          == "-170141183460469231731687303715884105728");
    CHECK(show("{}", {ArgKind::Unsigned, 128, 0}, {~std::uint64_t{0}, ~std::uint64_t{0}})
          == "340282366920938463463374607431768211455");
    CHECK(integer("{}", Int128{10'000'000'000'000'000'000u} * 3) == "30000000000000000000");
}

TEST_CASE(
    "format: hexadecimal and binary are exact, negative ones at least as wide as the operand") {
    CHECK(integer("{:x}", 255, 8) == "ff");
    CHECK(integer("{:x}", 0x5A8, 8) == "5a8");
    CHECK(integer("{:x}", Int128{1} << 100, 8) == "1" + std::string(25, '0'));
    CHECK(integer("{:x}", -1, 8) == "ff");
    CHECK(integer("{:x}", -128, 8) == "80");
    CHECK(integer("{:x}", -129, 8) == "17f");
    CHECK(integer("{:b}", -129, 8) == "101111111");
    CHECK(integer("{:b}", -1, 1) == "1");
    CHECK(integer("{:x}", -(Int128{1} << 63), 8) == "8000000000000000");
    CHECK(integer("{:x}", -(Int128{1} << 64), 8) == "10000000000000000");
    CHECK(integer("{:x}", -(Int128{1} << 64) - 1, 8) == "2ffffffffffffffff");
    CHECK(integer("{:08x}", -129, 8) == "0000017f");
    CHECK(integer("{:x}", -1, 9) == "1ff");
    CHECK(integer("{:b}", 5, 3) == "101");
    CHECK(integer("{:08b}", 5, 8) == "00000101");
    CHECK(integer("{:08x}", 0xABC, 32) == "00000abc");
    CHECK(integer("{:6x}|", 0xABC, 32) == "   abc|");
    CHECK(integer("{:x}", 0, 32) == "0");
    CHECK(integer("{:x}", -2, 128) == "fffffffffffffffffffffffffffffffe");
    CHECK(integer("{:x}", -2, 136) == "fffffffffffffffffffffffffffffffffe");
    CHECK(integer("{:b}", Int128{1} << 64, 65) == "1" + std::string(64, '0'));
}

TEST_CASE("format: characters are one byte") {
    CHECK(integer("{:c}", 'H', 8) == "H");
    CHECK(integer("<{:c}>", 256 + 'i', 16) == "<i>");
    CHECK(integer("{:c}", -1, 8) == "\xff");
    CHECK(integer("<{:c}>", 0, 8) == std::string("<\0>", 3));
}

TEST_CASE("format: floats by shortest round trip") {
    CHECK(floating("{}", 2) == "2.0");
    CHECK(floating("{}", -0.0) == "-0.0");
    CHECK(floating("{}", 0.1) == "0.1");
    CHECK(floating("{}", 0.30000000000000004) == "0.30000000000000004");
    CHECK(floating("{}", 1e300) == "1e+300");
    CHECK(floating("{}", 5e-324) == "5e-324");
    CHECK(floating("{}", std::numeric_limits<double>::infinity()) == "inf");
    CHECK(floating("{}", -std::numeric_limits<double>::infinity()) == "-inf");
    CHECK(floating("{}", -std::nan("")) == "nan");
    CHECK(floating("{:8}|", 1.5) == "     1.5|");
    CHECK(floating("{:08}", -1.5) == "-00001.5");
    CHECK(floating("{:05}", std::numeric_limits<double>::infinity()) == "00inf");
    CHECK(single(0.1f) == "0.1");
    CHECK(single(16777216.0f) == "16777216.0");
}

TEST_CASE("format: bools, enums, arrays, structs") {
    CHECK(show("{}", {ArgKind::Bool, 1, 0}, {1, 0}) == "true");
    CHECK(show("{}", {ArgKind::Bool, 1, 0}, {0, 0}) == "false");
    const std::uint8_t run = 4;
    const std::uint8_t unknown = 5;
    CHECK(typed("{}", 2, run) == "RUN");
    CHECK(typed("{}", 2, unknown) == "5");
    CHECK(typed("{:05d}", 2, run) == "RUN");
    CHECK(show("{:7x}", {ArgKind::Bool, 1, 0}, {1, 0}) == "true");
    const std::int8_t down = -1;
    const std::uint8_t downInTwoBits = 0xFF;
    CHECK(typed("{}", 5, down) == "DOWN");
    CHECK(typed("{}", 5, downInTwoBits) == "DOWN");
    const std::uint8_t array[] = {1, 20, 255};
    CHECK(typed("{}", 3, array) == "[1, 20, 255]");
    CHECK(typed("{:4}", 3, array) == "[   1,   20,  255]");
    CHECK(typed("{:02x}", 3, array) == "[01, 14, ff]");
    const std::uint8_t point[] = {7, 0xFE};
    CHECK(typed("{}", 4, point) == "(x: 7, y: -2)");
    CHECK(typed("{:x}", 4, point) == "(x: 7, y: fe)");
    const std::uint8_t points[] = {1, 2, 3, 4};
    CHECK(typed("{}", 8, points) == "[(x: 1, y: 2), (x: 3, y: 4)]");
}

TEST_CASE("format: wide integers") {
    const Wide one{{1, 0, 0, 0}};
    const Wide high{{0, 0, 0, 0x80}};  // 2^199
    const Wide minus{{~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}}};
    CHECK(typed("{}", 6, one) == "1");
    CHECK(typed("{}", 6, high) == "803469022129495137770981046170581301261101496891396417650688");
    CHECK(typed("{:x}", 6, high) == "8" + std::string(49, '0'));
    CHECK(typed("{}", 7, minus) == "-1");
    CHECK(typed("{:x}", 7, minus) == std::string(50, 'f'));
    const std::uint64_t nobody[] = {~std::uint64_t{0} - 4, ~std::uint64_t{0}};
    CHECK(typed("{}", 13, nobody) == "-5");
    // An argument has the word's bits as type; what is shown has those of the operand type.
    const auto shown = [&](const char* format, std::uint32_t bits) {
        return show(format, {ArgKind::Typed, bits, 7},
                    {reinterpret_cast<std::uint64_t>(&minus), 0});
    };
    CHECK(shown("{:x}", 13) == "1fff");
    CHECK(shown("{:b}", 3) == "111");
    CHECK(shown("{:x}", 202) == "3" + std::string(50, 'f'));
    CHECK(shown("{}", 13) == "-1");
}

TEST_CASE("reports of failures") {
    const ArgFormat numbers[] = {
        {ArgKind::Signed, 64, 0}, {ArgKind::Signed, 64, 0}, {ArgKind::Signed, 64, 0}};
    const Arg args[] = {{3, 0}, {10, 0}, {~std::uint64_t{0}, ~std::uint64_t{0}}};
    const auto report = [&](Failure kind, const char* subject, const char* text = nullptr) {
        const FailSite site{kind, {"a.sme", 7, 9}, {text, numbers, 3}, subject};
        std::string out;
        appendReport(out, types(), site, args, 1000);
        REQUIRE(out.starts_with("a.sme:7:9: error: "));
        REQUIRE(out.ends_with("\n"));
        return out.substr(18, out.size() - 19);
    };
    CHECK(report(Failure::Assertion, nullptr) == "assertion failed");
    CHECK(report(Failure::Assertion, nullptr, "n is {}") == "assertion failed: n is 3");
    CHECK(report(Failure::Assumption, nullptr) == "assumption failed");
    CHECK(report(Failure::Assumption, nullptr, "no") == "assumption failed: no");
    CHECK(report(Failure::DivisionByZero, "d") == "division by zero");
    CHECK(report(Failure::IndexOutOfRange, "a") == "index 3 is out of range for 'a' of length 10");
    CHECK(report(Failure::IndexOutOfRange, nullptr) == "index 3 is out of range for length 10");
    CHECK(report(Failure::NegativeShift, nullptr) == "negative shift count 3");
    CHECK(report(Failure::RangeViolation, nullptr) == "value 3 is outside of the range 10 to -1");
    CHECK(report(Failure::EnumValue, "light") == "3 is no member of enum 'light'");
    CHECK(report(Failure::EnumValue, nullptr) == "3 is no member of the enum");
    CHECK(report(Failure::LoopLimit, nullptr) == "more than 1000 loop rounds in one activation");
    CHECK(report(Failure::WaitCount, nullptr) == "wait count 3 is below 1");
    std::string place;
    appendPlace(place, "a.b[3]", 17);
    CHECK(place == "  in instance 'a.b[3]', cycle 17\n");
}

TEST_CASE("values are read back from their text") {
    std::byte store[32];
    std::string error;
    const auto reads = [&](std::uint32_t type, const char* text) {
        if (!parseScalar(kTypes[type], text, store, error)) return std::string("error: ") + error;
        std::string out;
        appendValue(out, types(), type, store, {});
        return out;
    };
    CHECK(reads(0, "255") == "255");
    CHECK(reads(0, "007") == "7");
    CHECK(reads(0, "256") == "error: '256' does not fit into u8");
    CHECK(reads(0, "-1") == "error: '-1' does not fit into u8");
    CHECK(reads(0, "-0") == "0");
    CHECK(reads(0, "x") == "error: 'x' is no value of u8");
    CHECK(reads(0, "") == "error: '' is no value of u8");
    CHECK(reads(0, "-") == "error: '-' is no value of u8");
    CHECK(reads(0, "1.0") == "error: '1.0' is no value of u8");
    CHECK(reads(0, std::string(5000, '9').c_str()).ends_with("does not fit into u8"));
    CHECK(reads(1, "-128") == "-128");
    CHECK(reads(1, "127") == "127");
    CHECK(reads(1, "128") == "error: '128' does not fit into i8");
    CHECK(reads(1, "-129") == "error: '-129' does not fit into i8");
    CHECK(reads(2, "RUN") == "RUN");
    CHECK(reads(2, "4") == "RUN");
    CHECK(reads(2, "5") == "error: '5' is no member of enum 'state'");
    CHECK(reads(2, "STOP") == "error: 'STOP' is no member of enum 'state'");
    CHECK(reads(5, "-1") == "DOWN");
    CHECK(reads(6, "1606938044258990275541962092341162602522202993782792835301375")
          == "1606938044258990275541962092341162602522202993782792835301375");  // 2^200 - 1
    CHECK(reads(6, "1606938044258990275541962092341162602522202993782792835301376")
              .ends_with("does not fit into u200"));
    CHECK(reads(7, "-803469022129495137770981046170581301261101496891396417650688")
          == "-803469022129495137770981046170581301261101496891396417650688");  // -2^199
    CHECK(reads(7, "803469022129495137770981046170581301261101496891396417650688")
              .ends_with("does not fit into i200"));
    CHECK(reads(11, "-1") == "-1");
    CHECK(reads(11, "-2") == "error: '-2' does not fit into i66");
    CHECK(reads(11, "18446744073709551621") == "18446744073709551621");
    CHECK(reads(11, "18446744073709551622").ends_with("does not fit into i66"));
    CHECK(reads(13, "FAR") == "FAR");
    CHECK(reads(13, "7") == "NEAR");
    CHECK(reads(13, "18446744073709551623") == "FAR");
    CHECK(reads(13, "-18446744073709551617") == "BACK");
    CHECK(reads(13, "8").ends_with("is no member of enum 'place'"));
    CHECK(reads(12, "9223372036854775807").ends_with("does not fit into u64"));
    CHECK(reads(12, "9223372036854775808") == "9223372036854775808");
    CHECK(reads(12, "18446744073709551615").ends_with("does not fit into u64"));
    CHECK(reads(9, "0.1") == "0.1");
    CHECK(reads(9, "-inf") == "-inf");
    CHECK(reads(9, "-nan") == "nan");
    CHECK(loadRaw(store, 4) == kNanF32);
    CHECK(reads(9, "2") == "2.0");
    CHECK(reads(9, "1,5") == "error: '1,5' is no value of f32");
    CHECK(reads(10, "true") == "true");
    CHECK(reads(10, "1") == "true");
    CHECK(reads(10, "0") == "false");
    CHECK(reads(10, "0b1") == "true");
    CHECK(reads(10, "2") == "error: '2' is no value of bool");
    CHECK(reads(10, "-1") == "error: '-1' is no value of bool");
    CHECK(reads(10, "True") == "error: 'True' is no value of bool");
    CHECK(reads(0, "0xFf") == "255");
    CHECK(reads(0, "0b1010_0101") == "165");
    CHECK(reads(0, "0o17") == "15");
    CHECK(reads(0, "1_0") == "10");
    CHECK(reads(0, "true") == "1");
    CHECK(reads(0, "0x100") == "error: '0x100' does not fit into u8");
    CHECK(reads(1, "-0x80") == "-128");
    CHECK(reads(1, "0xff") == "error: '0xff' does not fit into i8");
    for (const char* none :
         {"0x", "0xg", "0b2", "0o8", "_1", "1_", "1__0", "0x_1", "--1", "0X1", "ff"})
        CHECK(reads(0, none) == "error: '" + std::string(none) + "' is no value of u8");
    CHECK(reads(0, ("0b" + std::string(5000, '0') + "1").c_str()) == "1");
    CHECK(reads(6, ("0x" + std::string(50, 'f')).c_str())
          == "1606938044258990275541962092341162602522202993782792835301375");
    CHECK(reads(2, "0x4") == "RUN");
    CHECK(reads(2, "true") == "error: 'true' is no member of enum 'state'");
}
