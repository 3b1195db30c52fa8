// How far ranks run before they ask each other.

#include "engine/ahead_pace.h"

#include <catch2/catch.hpp>

using sme::AheadPace;
using Stretch = AheadPace::Stretch;

namespace {

constexpr double kCycleNs = 1000, kAskNs = 300, kCopyNs = 2000;

/// What the pace says after a stretch in which every cycle asked.
AheadPace asked(double copyNs, double cycleNs) {
    AheadPace pace(copyNs);
    const std::uint64_t cycles = pace.next().cycles();
    pace.asked(cycles, cycleNs * static_cast<double>(cycles), kAskNs);
    return pace;
}

void confirm(AheadPace& pace, double cycleNs, double copyNs) {
    const std::uint64_t cycles = pace.next().cycles();
    pace.confirmed(cycles, cycleNs * static_cast<double>(cycles), copyNs);
}

}  // namespace

TEST_CASE("ahead: it asks first, and then runs as far as it pays, and ever further", "[ahead]") {
    CHECK(!AheadPace(kCopyNs).next().isAhead);
    AheadPace pace = asked(kCopyNs, kCycleNs);
    CHECK(pace.next() == Stretch{5, true});  // 32 × 300 ns: four times 2,300 ns
    confirm(pace, kCycleNs, kCopyNs);
    CHECK(pace.next() == Stretch{6, true});
    for (int i = 0; i < 20; ++i)
        confirm(pace, kCycleNs, kCopyNs);
    CHECK(pace.next() == Stretch{13, true});  // 8.2 ms
    confirm(pace, 10 * kCycleNs, kCopyNs);
    CHECK(pace.next() == Stretch{9, true});
}

TEST_CASE("ahead: where a copy costs more than answers, every cycle asks, ever longer", "[ahead]") {
    AheadPace pace = asked(1e9, kCycleNs);
    unsigned log = 0;
    for (int i = 0; i < 30; ++i) {
        CHECK(!pace.next().isAhead);
        CHECK(pace.next().log >= log);
        log = pace.next().log;
        pace.asked(64, 64 * kCycleNs, kAskNs);
    }
    CHECK(log == AheadPace::kLongestAhead);
    CHECK(!asked(kCopyNs, 1e8).next().isAhead);  // cycles that take long need no haste
    AheadPace dear = asked(kCopyNs, kCycleNs);
    confirm(dear, kCycleNs, 1e9);
    CHECK(!dear.next().isAhead);
}

TEST_CASE("ahead: who goes back waits ever longer before the next try", "[ahead]") {
    AheadPace pace = asked(kCopyNs, kCycleNs);
    std::uint64_t before = 0;
    for (int i = 0; i < 10; ++i) {
        REQUIRE(pace.next().isAhead);
        pace.undone();
        REQUIRE(!pace.next().isAhead);
        CHECK(pace.next().cycles() > before);
        before = pace.next().cycles();
        pace.asked(before, kCycleNs * static_cast<double>(before), kAskNs);
    }
    CHECK(pace.timesUndone() == 10);
    for (int i = 0; i < 40; ++i)  // long without anything: forgiven
        confirm(pace, kCycleNs, kCopyNs);
    pace.undone();
    CHECK(pace.next().cycles() < before);
}

TEST_CASE("ahead: never where that is wanted", "[ahead]") {
    AheadPace pace = AheadPace::never();
    for (int i = 0; i < 3; ++i) {
        CHECK(!pace.next().isAhead);
        CHECK(pace.next().cycles() > 1'000);
        pace.asked(pace.next().cycles(), 1, 1e9);
    }
}

TEST_CASE("ahead: always the same where that is wanted", "[ahead]") {
    AheadPace pace = AheadPace::always(3);
    CHECK(pace.next() == Stretch{3, true});
    pace.undone();
    pace.asked(8, 1, 1e9);
    confirm(pace, 1e9, 1e9);
    CHECK(pace.next() == Stretch{3, true});
    CHECK(pace.cyclesAhead() == 8);
}
