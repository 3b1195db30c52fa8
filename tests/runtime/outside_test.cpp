// What stands between a design and foreign code, as generated code calls it: by its table of C functions.

#include <catch2/catch.hpp>

#include <cstring>
#include <type_traits>

#include "sme/no_calls.h"
#include "sme/outside_log.h"

using namespace sme;

namespace {

static_assert(std::is_standard_layout_v<OutsideWorld> && std::is_trivial_v<OutsideWorld>);
static_assert(std::is_trivial_v<OutsideWorld::Caller> && std::is_trivial_v<OutsideWorld::Value>);

/// A call that gives two numbers of unequal size.
struct OutsideCall {
    std::uint32_t word = 0;
    std::uint8_t byte = 0;
    OutsideWorld::Value values[2] = {{&word, sizeof word}, {&byte, sizeof byte}};

    bool give(OutsideWorld& world, std::uint64_t cycle, std::uint32_t instance = 0) {
        const OutsideWorld::Caller caller{"f", 3, 1, instance};
        return world.give(&world, cycle, &caller, values, 2);
    }
    void take(OutsideWorld& world, std::uint64_t cycle, std::uint32_t instance = 0) {
        const OutsideWorld::Caller caller{"f", 3, 1, instance};
        world.take(&world, cycle, &caller, values, 2);
    }
};

}  // namespace

TEST_CASE("outside: a cycle that runs once more is given what calls gave, by caller and in order") {
    OutsideLog log(1 << 20);
    OutsideWorld& world = log;
    CHECK_FALSE(world.givesAll);
    for (std::uint32_t cycle = 0; cycle < 3; ++cycle)
        for (std::uint32_t instance = 0; instance < 2; ++instance) {
            OutsideCall call{100 * cycle + instance, static_cast<std::uint8_t>(cycle)};
            CHECK_FALSE(call.give(world, cycle, instance));
            call.take(world, cycle, instance);
            call.word += 10;
            call.take(world, cycle, instance);
        }
    log.reach(3);
    for (const std::uint32_t cycle : {1U, 2U, 0U})
        for (const std::uint32_t instance : {1U, 0U}) {
            OutsideCall call;
            REQUIRE(call.give(world, cycle, instance));
            CHECK((call.word == 100 * cycle + instance && call.byte == cycle));
            REQUIRE(call.give(world, cycle, instance));
            CHECK(call.word == 100 * cycle + instance + 10);
            CHECK_FALSE(call.give(world, cycle, instance));
        }
    OutsideCall next;
    CHECK_FALSE(next.give(world, 3));
}

TEST_CASE("outside: between two cycles nothing is called, and who looks at it is told") {
    NoCalls noCalls({false, true});
    OutsideWorld& world = noCalls;
    CHECK(world.givesAll);
    CHECK(noCalls.whyUnknown().empty());
    OutsideCall call{7, 7};
    CHECK(call.give(world, 5));
    CHECK((call.word == 0 && call.byte == 0));
    CHECK(noCalls.whyUnknown().find("'f'") != std::string::npos);
    CHECK(noCalls.whyUnknown().empty());
}
