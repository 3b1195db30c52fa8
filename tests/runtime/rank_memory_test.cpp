// Copies of a rank's memory, and ranks that have no room for one.

#include "engine/rank_memory.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <thread>

#include "engine/engine.h"
#include "engine/rank_plan.h"
#include "engine/ranks_in_process.h"
#include "failing_allocations.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

struct Told {
    std::string out;
    std::uint32_t flags = 0;
    std::uint64_t cycle = 0;
    std::uint64_t stretches = 0;  ///< that ran ahead, as cycles where they counted
};

/// What each of two ranks came to that run ahead where they may; rank `poor` has no room for a copy.
std::vector<Told> runWithout(const Model& model, unsigned poor) {
    const RankPlan plan = planRanks(model, 2);
    RanksInProcess all(2, false);
    std::vector<Told> told(2);
    const auto run = [&](unsigned rank) {
        const RankModel own(model, plan.shares, rank);
        const Residence residence(model, plan.owners, rank);
        const std::vector<Halo> halos = halosOf(model, plan.crossings, rank);
        StringSink out, err;
        Engine engine(own.model(), {}, 0, 1'000, out, err, &residence);
        engine.connect(all.of(rank), halos);
        const RankMemory memory(own.model(), &residence, halos, engine.arena());
        failingBytes = rank == poor ? memory.bytes() : 0;
        told[rank].flags = engine.run(30);
        failingBytes = 0;
        told[rank].out = out.text + err.text;
        told[rank].cycle = engine.cycle();
        told[rank].stretches =
            engine.ranks()->pace().cyclesAhead() + engine.ranks()->pace().timesUndone();
    };
    std::thread other(run, 1u);
    run(0);
    other.join();
    return told;
}

}  // namespace

TEST_CASE("ranks of which one has no room for a copy ask after each cycle", "[ranks]") {
    setenv("SME_RANKS_AHEAD", "2", 1);
    MixedPlan plan;
    plan.stopCycle = 12;
    Mixed mixed(plan);
    constexpr unsigned kNone = 2;
    const std::vector<Told> wanted = runWithout(mixed.raw, kNone);
    CHECK(wanted[0].cycle == 13);
    CHECK(wanted[1].stretches > 0);
    for (const unsigned poor : {0u, 1u}) {
        const std::vector<Told> got = runWithout(mixed.raw, poor);
        for (const unsigned rank : {0u, 1u}) {
            CHECK(got[rank].out == wanted[rank].out);
            CHECK(got[rank].flags == wanted[rank].flags);
            CHECK(got[rank].cycle == wanted[rank].cycle);
            CHECK(got[rank].stretches == 0);
        }
    }
    unsetenv("SME_RANKS_AHEAD");
}

TEST_CASE("a copy of a rank's memory has room, or says that it has none", "[ranks]") {
    Ring ring(64);
    StringSink out, err;
    Engine engine(ring.model(), {}, 0, 1'000, out, err);
    RankMemory memory(ring.model(), nullptr, {}, engine.arena());
    failingBytes = memory.bytes();
    CHECK(!memory.hasRoom());
    failingBytes = 0;
    CHECK(memory.hasRoom());
    engine.run(3);
    memory.save();
    engine.run(6);
    memory.putBack();
    engine.goOnAsPart(3, 0);
    engine.run(5);
    std::uint32_t value = 0;
    std::memcpy(&value, engine.final(0, 39), sizeof value);
    CHECK(value == Ring::expected(64, 39, 5));
}
