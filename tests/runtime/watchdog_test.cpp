// What --progress says.

#include "cli/watchdog.h"

#include <catch2/catch.hpp>

using namespace sme;

TEST_CASE("progress: how far, how fast, how long still") {
    CHECK(progressLine({.done = 250, .limit = 1000, .seconds = 1.5, .perSecond = 2000})
          == "cycle 250 of 1000 (25 %), 2.00 k cycles/s, 1.5 s, 4.5 s left");
    CHECK(progressLine({.done = 1, .limit = 101, .seconds = 2, .perSecond = 0.5})
          == "cycle 1 of 101 (0 %), 0.50 cycles/s, 2.0 s, 3 min 20 s left");
    CHECK(progressLine({.done = 100, .limit = 36100, .seconds = 60, .perSecond = 2})
          == "cycle 100 of 36100 (0 %), 2.00 cycles/s, 1 min 0 s, 6 h 0 min left");
    CHECK(progressLine({.done = 999, .limit = 1000, .seconds = 1, .perSecond = 1}).find("(99 %)")
          != std::string::npos);
}

TEST_CASE("progress: no end in sight, and a time limit") {
    CHECK(progressLine({.done = 250, .seconds = 1.5, .perSecond = 2000})
          == "cycle 250, 2.00 k cycles/s, 1.5 s");
    CHECK(progressLine({.done = 0, .limit = 1000, .seconds = 1.5})
          == "cycle 0 of 1000 (0 %), 0.00 cycles/s, 1.5 s");
    CHECK(progressLine({.done = 250, .seconds = 1.5, .perSecond = 2000, .timeout = 2})
          == "cycle 250, 2.00 k cycles/s, 1.5 s, 0.5 s left");
    CHECK(
        progressLine({.done = 250, .limit = 1000, .seconds = 1.5, .perSecond = 2000, .timeout = 1})
        == "cycle 250 of 1000 (25 %), 2.00 k cycles/s, 1.5 s, 0.0 s left");
}
