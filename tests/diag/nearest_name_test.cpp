#include <catch2/catch.hpp>

#include "diag/diagnostics.h"

using namespace smec;

TEST_CASE("slips are found") {
    CHECK(nearestName("totl", {"total", "count"}) == "total");
    CHECK(nearestName("toatl", {"total"}) == "total");   // swapped
    CHECK(nearestName("ttotal", {"total"}) == "total");  // inserted
    CHECK(nearestName("tatal", {"total"}) == "total");   // replaced
    CHECK(nearestName("gian", {"origin", "gain"}) == "gain");
    CHECK(nearestName("valdi", {"valid", "value"}) == "valid");
    CHECK(nearestName("acumulator_vlue", {"accumulator_value"}) == "accumulator_value");
}

TEST_CASE("case alone is near") {
    CHECK(nearestName("X", {"x", "y"}) == "x");
    CHECK(nearestName("IDLE", {"idle", "isle"}) == "idle");
}

TEST_CASE("the nearest wins, the first of equals") {
    CHECK(nearestName("count", {"counter", "counts", "county"}) == "counts");
    CHECK(nearestName("bat", {"cat", "bar", "bad"}) == "cat");
}

TEST_CASE("what is no slip is not suggested") {
    CHECK(nearestName("x", {"y", "z", "xy"}).empty());
    CHECK(nearestName("abc", {"xyz"}).empty());
    CHECK(nearestName("nosuch", {"counter", "source"}).empty());
    CHECK(nearestName("datum", {"v", "valid"}).empty());
    CHECK(nearestName("", {"a", "b"}).empty());
    CHECK(nearestName("a", {}).empty());
    CHECK(nearestName("same", {"same"}).empty());
    CHECK(nearestName("abcd", {""}).empty());
}

TEST_CASE("very long names cost nothing") {
    std::string name(1'000'000, 'a');
    CHECK(nearestName(name, {name + "b"}).empty());
    CHECK(nearestName("aaaa", {name}).empty());
}
