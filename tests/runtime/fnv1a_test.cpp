#include <catch2/catch.hpp>

#include <sme/fnv1a.h>

using namespace sme;

// The vectors are those of the reference implementation (test_fnv.c, draft-eastlake-fnv).
TEST_CASE("FNV-1a: published vectors") {
    CHECK(fnv1a("") == 0xCBF29CE484222325);
    CHECK(fnv1a("a") == 0xAF63DC4C8601EC8C);
    CHECK(fnv1a("b") == 0xAF63DF4C8601F1A5);
    CHECK(fnv1a("c") == 0xAF63DE4C8601EFF2);
    CHECK(fnv1a("fo") == 0x08985907B541D342);
    CHECK(fnv1a("foo") == 0xDCB27518FED9D577);
    CHECK(fnv1a("foob") == 0xDD120E790C2512AF);
    CHECK(fnv1a("fooba") == 0xCAC165AFA2FEF40A);
    CHECK(fnv1a("foobar") == 0x85944171F73967E8);
    CHECK(fnv1a({"\0", 1}) == 0xAF63BD4C8601B7DF);
    CHECK(fnv1a({"a\0", 2}) == 0x089BE207B544F1E4);
    CHECK(fnv1a("chongo was here!\n") == 0x46810940EFF5F915);
}

TEST_CASE("FNV-1a: bytes are unsigned, a text goes on where another ended") {
    CHECK(fnv1a("\xFF") == fnv1aStep(kFnv1aStart, 0xFF));
    CHECK(fnv1a("bar", fnv1a("foo")) == fnv1a("foobar"));
    CHECK(fnv1aStep(kFnv1aStart, 'a') == fnv1a("a"));
    CHECK(fnv1aStep(kFnv1aStart, 0x1'0000) != fnv1a({"\0\0\1", 3}));
    STATIC_REQUIRE(fnv1a("a", 0) == 0x61 * 0x100000001B3);
}
