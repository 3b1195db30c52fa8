#include <catch2/catch.hpp>

#include "hir/types.h"
#include "hir/value.h"

using namespace smec::hir;

TEST_CASE("equal types have equal ids") {
    TypeTable types;
    CHECK(types.integer(8, false) == types.integer(8, false));
    CHECK(types.integer(8, false) != types.integer(8, true));
    CHECK(types.array(types.integer(8, false), 3) == types.array(types.integer(8, false), 3));
    CHECK(types.ranged(0, 9) == types.ranged(0, 9));
    CHECK(types.ranged(0, 9) != types.integer(4, false));
}

TEST_CASE("types are named as in the language") {
    TypeTable types;
    CHECK(types.name(types.integer(8, false)) == "u8");
    CHECK(types.name(types.array(types.array(types.integer(16, true), 4), 2)) == "[2][4]i16");
    CHECK(types.name(types.ranged(0, 9)) == "u4 (range 0 to 9)");
    CHECK(types.name(types.ranged(-3, 3)) == "i3 (range -3 to 3)");
    CHECK(types.name(TypeTable::kUint) == "uint");
    CHECK(types.name(TypeTable::kF32) == "f32");
}

TEST_CASE("bits for a value") {
    CHECK(bitsFor(0) == 1);
    CHECK(bitsFor(1) == 1);
    CHECK(bitsFor(255) == 8);
    CHECK(bitsFor(256) == 9);
    CHECK(bitsFor(-1) == 1);
    CHECK(bitsFor(-2) == 2);
    CHECK(bitsFor(-128) == 8);
    CHECK(bitsFor(-129) == 9);
}

TEST_CASE("ranges are as wide as they need") {
    TypeTable types;
    auto width = [&](int low, int high) {
        return types.as<IntType>(types.ranged(low, high))->width;
    };
    CHECK(width(0, 9) == 4);
    CHECK(width(-3, 3) == 3);
    CHECK(width(-4, 3) == 3);
    CHECK(width(-4, 4) == 4);
    CHECK(width(-8, -5) == 4);
}

TEST_CASE("wrap is modulo two to the width") {
    CHECK(wrap(256, 8, false) == 0);
    CHECK(wrap(-1, 8, false) == 255);
    CHECK(wrap(200, 8, true) == -56);
    CHECK(wrap(-129, 8, true) == 127);
    CHECK(wrap(128, 8, true) == -128);
    CHECK(wrap(1, 1, true) == -1);
    Integer big = (Integer(1) << 100) + 5;
    CHECK(wrap(big, 100, false) == 5);
    CHECK(wrap(-big, 64, true) == -5);
}

TEST_CASE("default values") {
    TypeTable types;
    CHECK(defaultValue(types, types.ranged(3, 5)) == Value{Integer(3)});
    CHECK(defaultValue(types, types.ranged(-5, 5)) == Value{Integer(0)});
    TypeId state = types.enumeration({"state", {}, 4, false, {{"SLOW", 3}, {"FAST", 8}}});
    CHECK(defaultValue(types, state) == Value{Integer(3)});
    CHECK(defaultValue(types, types.array(TypeTable::kBool, 2))
          == Value{Value::List{Value{false}, Value{false}}});
}

TEST_CASE("values are shown as trace shows them") {
    TypeTable types;
    TypeId u8 = types.integer(8, false), i8 = types.integer(8, true);
    TypeId state = types.enumeration({"state", {}, 1, false, {{"IDLE", 0}, {"RUN", 1}}});
    TypeId point = types.structure({"point", {}, {{"x", i8}, {"y", i8}}});
    CHECK(toString(types, u8, Value{Integer(12)}) == "12");
    CHECK(toString(types, TypeTable::kBool, Value{true}) == "true");
    CHECK(toString(types, state, Value{Integer(1)}) == "RUN");
    CHECK(toString(types, TypeTable::kF64, Value{2.0}) == "2.0");
    CHECK(toString(types, TypeTable::kF64, Value{0.30000000000000004}) == "0.30000000000000004");
    CHECK(toString(types, TypeTable::kF32, Value{0.1f}) == "0.1");
    CHECK(toString(types, types.array(u8, 2),
                   Value{Value::List{Value{Integer(1)}, Value{Integer(2)}}})
          == "[1, 2]");
    CHECK(toString(types, point, Value{Value::List{Value{Integer(1)}, Value{Integer(-2)}}})
          == "(x: 1, y: -2)");
}

TEST_CASE("placeholders") {
    TypeTable types;
    TypeId i8 = types.integer(8, true);
    auto shown = [&](const char* text, int value) {
        std::string error;
        auto format = parseFormat(text, error);
        REQUIRE(format);
        REQUIRE(format->specs.size() == 1);
        return format->pieces[0]
               + smec::hir::format(types, i8, 8, Value{Integer(value)}, format->specs[0])
               + format->pieces[1];
    };
    CHECK(shown("<{}>", -3) == "<-3>");
    CHECK(shown("{:5}|", 42) == "   42|");
    CHECK(shown("{:05d}", -42) == "-0042");
    CHECK(shown("{:04x}", -1) == "00ff");
    CHECK(shown("{:x}", 0x5A8) == "5a8");
    CHECK(shown("{:x}", -129) == "17f");
    CHECK(shown("{:b}", -128) == "10000000");
    CHECK(shown("{:c}|", 0x141) == "A|");
    CHECK(shown("{:c}", -1) == "\xff");
    CHECK(shown("{:b}", 5) == "101");
    CHECK(shown("{{{:x}}}", 10) == "{a}");
}

TEST_CASE("malformed placeholders are explained") {
    for (const char* text :
         {"{", "}", "{:q}", "{x}", "{:5", "{:9999999x}", "{:5c}", "{:0c}", "{c}"}) {
        std::string error;
        CHECK_FALSE(parseFormat(text, error));
        CHECK_FALSE(error.empty());
    }
}
