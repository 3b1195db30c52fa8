#include <catch2/catch.hpp>

#include "../lower/compile.h"

namespace {

/// Words of the log of a process that sets elements of `o.m`, which has 1,600; 0: there is none.
std::uint32_t logLength(const std::string& body, const std::string& field = "hold m: [1600]u8") {
    const auto compiled =
        compile("proc p(in x, out o, const c: u8) { " + body + " }\nnetwork top() { bus b { "
                    + field + "; }; bus i { v: u16; };\ninstance a of p(i, b, 3); }\n",
                false, true);
    const smec::ir::Class& cls = compiled->cls("p");
    const auto& log = cls.outputs.at(0).log;
    return log ? compiled->ir.planes[log->index].type.length : 0;
}

const std::string kOne = "o.m[x.v % 1600] = c;";

}  // namespace

TEST_CASE("what is set in held arrays is noted", "[passes][replay]") {
    CHECK(logLength("for i = 0 until 9 { o.m[(x.v + i) % 1600] = c; }") == 9 + 2);
    CHECK(logLength("for i = 0 until x.v { o.m[i % 1600] = c; }") == 100 + 2);
}

TEST_CASE("what few statements set is noted at places of their own", "[passes][replay]") {
    CHECK(logLength(kOne) == 1);
    CHECK(logLength(kOne + "if (x.v > 9) { o.m[0] = 1; o.m[1] = 1; } else { o.m[2] = 1; }") == 3);
    std::string many = kOne;
    for (int i = 1; i < 16; ++i)
        many += kOne;
    CHECK(logLength(many) == 16);
    CHECK(logLength(many + kOne) == 17 + 2);
    CHECK(logLength(kOne + "if (x.v > 9) { for i = 0 until 3 { o.m[(x.v + i) % 1600] = c; } }")
          == 4 + 2);
    CHECK(logLength("var a: [1600]u8; if (x.v > 9) { o.m = a; }" + kOne) == 1 + 2);
}

TEST_CASE("what is set as a whole, or nearly, is copied", "[passes][replay]") {
    CHECK(logLength("for i = 0 until 101 { o.m[(x.v + i) % 1600] = c; }") == 0);
    CHECK(logLength("o.m[x.v % 32] = c;", "hold m: [32]u8") == 0);
    CHECK(logLength(kOne, "m: [1600]u8") == 0);
}
