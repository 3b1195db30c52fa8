#include <catch2/catch.hpp>

#include "interp/hash.h"
#include "interp/names.h"
#include "interp/options.h"

namespace smec::interp {

TEST_CASE("natural order compares runs of digits as numbers") {
    CHECK(naturalLess("p[2].v", "p[10].v"));
    CHECK_FALSE(naturalLess("p[10].v", "p[2].v"));
    CHECK(naturalLess("a", "b"));
    CHECK(naturalLess("a", "a.b"));
    CHECK(naturalLess("a9", "aa"));
    CHECK_FALSE(naturalLess("a", "a"));
    CHECK(naturalLess("a01", "a1"));
    CHECK_FALSE(naturalLess("a1", "a01"));
    CHECK(naturalLess("p[99999999999999999999999].v", "p[100000000000000000000000].v"));
}

TEST_CASE("globs know * and ? and take brackets as they are") {
    CHECK(matchesGlob("*", ""));
    CHECK(matchesGlob("p[?].*", "p[3].b.v"));
    CHECK_FALSE(matchesGlob("p[?].*", "p[33].b.v"));
    CHECK(matchesGlob("*.v", "a.b.v"));
    CHECK_FALSE(matchesGlob("*.v", "a.b.w"));
    CHECK(matchesGlob("a*b*c", "axxbxbxc"));
    CHECK_FALSE(matchesGlob("a", "ab"));
}

TEST_CASE("hashes are the published ones") {
    CHECK(fnv1a64("") == 0xCBF29CE484222325);
    CHECK(fnv1a64("a") == 0xAF63DC4C8601EC8C);
    CHECK(splitMix64(kGoldenGamma)
          == 0xE220A8397B1DCDAF);  // the first number of SplitMix64 from state 0
}

TEST_CASE("options: values, ignored plans, errors") {
    const Options options = parseOptions({"--cycles", "12", "--seed=0x1F", "--threads", "4",
                                          "--foreman", "--print", "a.b", "--print=c", "--quiet"});
    CHECK(options.cycles == 12);
    CHECK(options.seed == 31);
    CHECK(options.prints == std::vector<std::string>{"a.b", "c"});
    CHECK(options.quiet);
    const auto statusOf = [](const std::vector<std::string>& arguments) {
        try {
            parseOptions(arguments);
        } catch (const RunError& error) {
            return error.status;
        }
        return 0;
    };
    CHECK(statusOf({"--cycles"}) == 2);
    CHECK(statusOf({"--cycles", "-1"}) == 2);
    CHECK(statusOf({"--quiet=1"}) == 2);
    CHECK(statusOf({"--checkpoint", "x"}) == 2);
    CHECK(statusOf({"--cycle", "3"}) == 2);
}

}  // namespace smec::interp
