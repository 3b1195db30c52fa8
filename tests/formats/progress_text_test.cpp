// What --progress says.

#include "formats/progress_text.h"

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

TEST_CASE("progress: what was resumed took no time") {
    CHECK(progressLine({.done = 600, .limit = 1000, .first = 500, .seconds = 1, .perSecond = 100})
          == "cycle 600 of 1000 (60 %), 100 cycles/s, 1.0 s, 4.0 s left");
    CHECK(progressLine({.done = 500, .limit = 1000, .first = 500, .seconds = 1})
          == "cycle 500 of 1000 (50 %), 0.00 cycles/s, 1.0 s");
}

TEST_CASE("progress: a bar as wide as there is room") {
    const Progress half{.done = 500, .limit = 1000, .seconds = 1.5, .perSecond = 2000};
    const std::string text = " 50 %, 2.00 k cycles/s, 1.5 s left";
    CHECK(progressBar(half, 200) == "[" + std::string(20, '=') + std::string(20, ' ') + "]" + text);
    CHECK(progressBar(half, 47) == "[=====     ]" + text);
    CHECK(progressBar(half, 46).size() == 45);
    CHECK(progressBar(half, 44) == progressLine(half).substr(0, 43));
    CHECK(progressBar(half, 1).empty());
    CHECK(progressBar(half, 0).empty());
    const Progress over{.done = 1000, .limit = 1000, .seconds = 1.5, .perSecond = 2000};
    CHECK(progressBar(over, 60).starts_with("[" + std::string(22, '=') + "] 100 %"));
    const Progress endless{.done = 500, .seconds = 1.5, .perSecond = 2000};
    CHECK(progressBar(endless, 80) == progressLine(endless));
    CHECK(progressBar(endless, 11) == "cycle 500,");
}
