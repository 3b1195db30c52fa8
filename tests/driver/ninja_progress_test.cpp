// What smec says at a terminal while C++ is compiled.

#include "driver/compile/build.h"

#include <catch2/catch.hpp>

using namespace smec::driver;

TEST_CASE("progress of Ninja: steps, and the time left after a few") {
    CHECK(ninjaProgress("[1/12] C++ a.cpp", 3) == "smec: compiling C++, 1 of 12 steps");
    CHECK(ninjaProgress("[3/12] C++ b.cpp", 3)
          == "smec: compiling C++, 3 of 12 steps, about 9 s left");
    CHECK(ninjaProgress("[12/12] link simulator", 3)
          == "smec: compiling C++, 12 of 12 steps, about 0 s left");
    CHECK(ninjaProgress("[0/12] C++ a.cpp", 3) == "smec: compiling C++");
    CHECK(ninjaProgress("[something", 3) == "smec: compiling C++");
}
