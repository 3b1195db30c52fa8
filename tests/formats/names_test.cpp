#include "formats/names.h"

#include <catch2/catch.hpp>

using namespace sme;

TEST_CASE("names: natural order") {
    CHECK(naturalLess("p[2].v", "p[10].v"));
    CHECK_FALSE(naturalLess("p[10].v", "p[2].v"));
    CHECK(naturalLess("a", "ab"));
    CHECK(naturalLess("a.v", "b.v"));
    CHECK(naturalLess("a9", "a10"));
    CHECK(naturalLess("a.v", "a1.v"));
    CHECK_FALSE(naturalLess("a", "a"));
    CHECK(naturalLess("a9", "aa"));
    CHECK(naturalLess("a01", "a1"));
    CHECK_FALSE(naturalLess("a1", "a01"));
    CHECK(naturalLess("a", "a.b"));
    CHECK(naturalLess("m[1][9]", "m[1][10]"));
    CHECK(naturalLess("m[1][10]", "m[2][0]"));
    CHECK(naturalLess("x18446744073709551616", "x18446744073709551617"));
}

TEST_CASE("names: globs take brackets as they are") {
    CHECK(globMatches("link[2].v", "link[2].v"));
    CHECK(globMatches("link[*].v", "link[12].v"));
    CHECK_FALSE(globMatches("link[*].v", "link[12].w"));
    CHECK(globMatches("p[?].*", "p[3].b.v"));
    CHECK_FALSE(globMatches("p[?].*", "p[33].b.v"));
    CHECK(globMatches("*", ""));
    CHECK(globMatches("*.acc", "a.b.acc"));
    CHECK(globMatches("a?c*", "abcdef"));
    CHECK_FALSE(globMatches("a?c", "ac"));
    CHECK(globMatches("*a*b*", "xxaxxbxx"));
    CHECK_FALSE(globMatches("", "a"));
}

TEST_CASE("names: a bracket in a glob is one, escaped or not, and indices have ranges") {
    for (const char* glob :
         {"m[3]", "m[[]3]", "m[[]3[]]", "m[*]", "m[?]", "m[0-3]", "m[3-3]", "*[3]", "*[1-9]"})
        CHECK(globMatches(glob, "m[3]"));
    CHECK(globMatches("p[*].m[[]0].v", "p[12].m[0].v"));
    CHECK(globMatches("m[8-12].v", "m[10].v"));
    CHECK(globMatches("*[8-12]*", "a[3].m[10].v"));
    for (const char* glob : {"m[4]", "m[0-2]", "m[4-9]", "m[30-39]", "m[a-z]", "m[-3]", "m[3-]",
                             "m[[]", "m[]]", "[0-3]"})
        CHECK_FALSE(globMatches(glob, "m[3]"));
    CHECK_FALSE(globMatches("m[0-3]", "m[33]"));
    CHECK(globMatches("[", "["));
    CHECK_FALSE(globMatches("m[0-99999999999999999999999]", "m[3]"));
}

TEST_CASE("names: what a bus has is listed, a few of many") {
    NamesBelow below("a.b");
    CHECK(below.text().empty());
    for (const char* name : {"a.b", "a.bc", "a.b.v", "a.b[2].w", "x.a.b.v"})
        below.consider(name);
    CHECK(below.text() == "; it has 'a.b.v', 'a.b[2].w'");
    for (int i = 0; i < 5; ++i)
        below.consider("a.b.x");
    CHECK(below.text() == "; it has 'a.b.v', 'a.b[2].w', 'a.b.x', 'a.b.x', 'a.b.x' and 2 more");
    NamesBelow none("");
    none.consider(".v");
    CHECK(none.text().empty());
}
