// Engines of one design, a rank each in a thread of its own, against one engine that runs all.

#include "engine/transport.h"

#include <catch2/catch.hpp>

#include <sys/mman.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "engine/border_first.h"
#include "engine/engine.h"
#include "engine/rank_plan.h"
#include "engine/rank_state.h"
#include "engine/ranks_in_process.h"
#include "output/error.h"
#include "schedule/choices.h"
#include "test_models.h"
#include "trace/checksum.h"

using namespace sme;
using namespace sme::test;

namespace {

/// What a run came to: what was said, and each element of each plane on the rank that writes it.
struct Outcome {
    std::string out;
    std::string err;
    std::uint32_t flags = 0;
    std::uint64_t cycle = 0;
    unsigned status = 0;
    std::uint64_t sum = 0;
    std::vector<std::string> values;
    bool operator==(const Outcome&) const = default;
};

template <typename Use>
void forEachElement(const Model& model, const Use& use) {
    for (std::uint32_t plane = 0; plane < model.planeCount; ++plane)
        for (std::uint32_t i = 0; i < model.planes[plane].instances; ++i)
            use(plane, i);
}

std::string valueOf(const Engine& engine, std::uint32_t plane, std::uint32_t element) {
    const Model& model = engine.model();
    return {reinterpret_cast<const char*>(engine.final(plane, element)),
            model.types[model.planes[plane].type].bytes};
}

Outcome runOnRanks(const Model& model, const RankPlan& plan, const EngineConfig& config,
                   std::uint64_t cycles, Overlap overlap = Overlap::Never) {
    const unsigned ranks = plan.shares.ranks();
    RanksInProcess all(ranks, false);
    std::vector<Outcome> outcomes(ranks);
    std::vector<std::vector<std::string>> values(ranks);
    std::atomic<std::uint64_t> sum{0};
    const auto run = [&](unsigned rank) {
        const RankModel own(model, plan.shares, rank);
        StringSink out, err;
        const Residence residence(model, plan.owners, rank);
        const BorderFirst cut(own.model(), plan.owners, plan.crossings, rank, overlap);
        Engine engine(own.model(), config, 0, 1'000, out, err, &residence);
        engine.connect(all.of(rank), halosOf(model, plan.crossings, rank), &cut);
        Outcome& outcome = outcomes[rank];
        outcome.flags = engine.run(cycles);
        outcome.cycle = engine.cycle();
        outcome.status = engine.observation().output().stopStatus();
        outcome.out = out.text;
        outcome.err = err.text;
        sum += checksumOf(engine, plan.owners, rank);
        forEachElement(model, [&](std::uint32_t plane, std::uint32_t i) {
            values[rank].push_back(valueOf(engine, plane, i));
        });
    };
    std::vector<std::thread> threads;
    for (unsigned rank = 1; rank < ranks; ++rank)
        threads.emplace_back(run, rank);
    run(0);
    for (std::thread& thread : threads)
        thread.join();
    for (unsigned rank = 1; rank < ranks; ++rank) {
        CHECK(outcomes[rank].out + outcomes[rank].err == "");
        CHECK(outcomes[rank].flags == outcomes[0].flags);
        CHECK(outcomes[rank].cycle == outcomes[0].cycle);
    }
    outcomes[0].sum = sum;
    std::size_t number = 0;
    forEachElement(model, [&](std::uint32_t plane, std::uint32_t i) {
        outcomes[0].values.push_back(values[plan.owners.rankOf(plane, i)][number++]);
    });
    return outcomes[0];
}

Outcome runOnRanks(const Model& model, unsigned ranks, const EngineConfig& config,
                   std::uint64_t cycles, Overlap overlap = Overlap::Never) {
    return runOnRanks(model, planRanks(model, ranks), config, cycles, overlap);
}

/// The smallest pieces of each work, to ranks in turn.
RankPlan scattered(const Model& model, unsigned ranks) {
    RankShares shares(model, ranks);
    unsigned turn = 0;
    for (std::uint32_t i = 0; i < model.workCount; ++i) {
        const Work& work = model.work[i];
        for (std::uint32_t end = 0; end < work.count; ++turn) {
            end = std::min(end + work.granularity, work.count);
            shares.give(i, end, turn % ranks);
        }
    }
    return planOf(model, std::move(shares));
}

Outcome runAlone(const Model& model, std::uint64_t cycles) {
    StringSink out, err;
    Engine engine(model, {}, 0, 1'000, out, err);
    Outcome outcome;
    outcome.flags = engine.run(cycles) & kEnds;
    outcome.cycle = engine.cycle();
    outcome.status = engine.observation().output().stopStatus();
    outcome.out = out.text;
    outcome.err = err.text;
    outcome.sum = checksum(engine);
    forEachElement(model, [&](std::uint32_t plane, std::uint32_t i) {
        outcome.values.push_back(valueOf(engine, plane, i));
    });
    return outcome;
}

template <typename Use>
void forEachPlan(const Use& use) {
    for (const Overlap overlap : {Overlap::Never, Overlap::Always})
        for (const auto& [name, kind] : kModels) {
            for (const unsigned threads : {1u, 2u}) {
                EngineConfig config;
                config.threads = threads;
                config.scheduling.model = kind;
                config.oversubscribed = true;
                use(config, overlap);
            }
        }
}

}  // namespace

TEST_CASE("a ring on ranks is a ring", "[transport]") {
    for (const std::uint32_t count : {1u, 7u, 32u, 1'000u}) {
        Ring ring(count);
        const Outcome wanted = runAlone(ring.model(), 101);
        for (const unsigned ranks : {1u, 2u, 3u, 4u, 8u}) {
            forEachPlan([&](const EngineConfig& config, Overlap overlap) {
                CHECK(runOnRanks(ring.model(), ranks, config, 101, overlap) == wanted);
            });
        }
    }
}

TEST_CASE("the first cycle reads initial values of other ranks", "[transport]") {
    Ring ring(64);
    ring.initialise(0, std::uint32_t{77});
    const Outcome wanted = runAlone(ring.model(), 1);
    CHECK(runOnRanks(ring.model(), 3, {}, 1, Overlap::Never) == wanted);
    CHECK(runOnRanks(ring.model(), 3, {}, 1, Overlap::Always) == wanted);
}

TEST_CASE("ranks that try out whether they are faster with overlap compute the same",
          "[transport]") {
    Ring ring(20'000);
    const Outcome wanted = runAlone(ring.model(), 3'000);
    for (const unsigned threads : {1u, 2u}) {
        EngineConfig config;
        config.threads = threads;
        config.oversubscribed = true;
        CHECK(runOnRanks(ring.model(), 2, config, 3'000, Overlap::WherePays) == wanted);
    }
}

TEST_CASE("levels, output, stops and failures are the same on any number of ranks", "[transport]") {
    MixedPlan plans[4];
    plans[1].stopCycle = 12;
    plans[2].failCycle = 9;
    plans[3].stopCycle = plans[3].failCycle = 17;
    for (const MixedPlan& plan : plans) {
        Mixed mixed(plan);
        const Outcome wanted = runAlone(mixed.raw, 30);
        CHECK(!wanted.out.empty());
        for (const unsigned ranks : {2u, 3u, 4u, 8u, 40u}) {
            forEachPlan([&](const EngineConfig& config, Overlap overlap) {
                CHECK(runOnRanks(mixed.raw, ranks, config, 30, overlap) == wanted);
            });
        }
    }
}

TEST_CASE("a rank may have several pieces of a work", "[transport]") {
    MixedPlan plan;
    plan.failCycle = 17;
    Mixed mixed(plan);
    Ring ring(1'000);
    const Outcome mixedAlone = runAlone(mixed.raw, 30);
    const Outcome ringAlone = runAlone(ring.model(), 101);
    for (const unsigned ranks : {2u, 3u, 8u}) {
        const RankPlan mixedPlan = scattered(mixed.raw, ranks);
        const RankPlan ringPlan = scattered(ring.model(), ranks);
        CHECK(ringPlan.shares.of(0).size() == (1'000 + 15) / 16);
        forEachPlan([&](const EngineConfig& config, Overlap overlap) {
            CHECK(runOnRanks(mixed.raw, mixedPlan, config, 30, overlap) == mixedAlone);
            CHECK(runOnRanks(ring.model(), ringPlan, config, 101, overlap) == ringAlone);
        });
    }
}

TEST_CASE("what a rank writes in a range is found among its pieces", "[transport]") {
    Ring ring(1'000);
    const RankPlan plan = scattered(ring.model(), 3);
    const auto ownedBy = [&](unsigned rank, ElementRange range) {
        return ownedIn(ring.model(), plan.owners, rank, 0, range);
    };
    using Ranges = std::vector<ElementRange>;
    CHECK(ownedBy(0, {40, 110}) == Ranges{{48, 64}, {96, 110}});
    CHECK(ownedBy(1, {40, 110}) == Ranges{{64, 80}});
    CHECK(ownedBy(2, {40, 110}) == Ranges{{40, 48}, {80, 96}});
    CHECK(ownedBy(2, {48, 49}).empty());
    CHECK(ownedBy(2, {992, 1'000}) == Ranges{{992, 1'000}});
}

TEST_CASE("what crosses is what is read, once", "[transport]") {
    Ring ring(64);
    const RankPlan plan = planRanks(ring.model(), 2);
    CHECK(plan.crossings == std::vector<Crossing>{{0, 0, 1, 0, 31, 1}, {0, 1, 0, 0, 63, 1}});
    const auto halos = halosOf(ring.model(), plan.crossings, 1);
    REQUIRE(halos.size() == 1);
    CHECK(halos[0].sends == std::vector<PlaneRange>{{0, 0, 63, 1}});
    CHECK(halos[0].receives == std::vector<PlaneRange>{{0, 0, 31, 1}});
    // a second reader of the same element, one that goes backwards, one with a stride
    ring.reads({0, 40, 2, 0, 31, -1});
    ring.reads({0, 32, 3, 0, 2, 10});
    CHECK(crossingsOf(ring.model(), plan.owners)
          == std::vector<Crossing>{{0, 0, 1, 0, 2, 1},
                                   {0, 0, 1, 0, 12, 1},
                                   {0, 0, 1, 0, 22, 1},
                                   {0, 0, 1, 0, 30, 2},
                                   {0, 1, 0, 0, 63, 1}});
}

TEST_CASE("all elements that an instance writes are with it", "[transport]") {
    Ring ring(64);
    const std::uint32_t four = ring.plane(Home::TwoSlots, 0, 64 * 4);
    ring.writes(0, four);
    ring.reads({0, 0, 2, four, 125, 4});  // 125 of instance 31, 129 of instance 32
    const RankPlan plan = planRanks(ring.model(), 2);
    CHECK(plan.owners.perOwner(ring.planeAt(four)) == 4);
    CHECK(plan.owners.rankOf(four, 127) == 0);
    CHECK(plan.owners.rankOf(four, 128) == 1);
    CHECK(plan.crossings.back() == Crossing{0, 1, 0, four, 129, 1});
}

TEST_CASE("kinds that read each other instance by instance are cut at the same instances",
          "[transport]") {
    ModelBuilder builder;
    const std::uint32_t u32 = builder.integer(false, 32);
    constexpr std::uint32_t n = 4'096;
    const Instances nothing = [](const Thread&, const Slots&, std::uint32_t, std::uint32_t) {};
    for (const std::uint32_t own : {0u, 1u}) {
        const std::uint32_t plane = builder.plane(Home::TwoSlots, u32, n);
        builder.writes(builder.process("p", nothing, n, 16, 2, 0, own, 2), plane);
        builder.reads({own, 0, n, 1 - own, 0, 1});
    }
    const RankPlan plan = planRanks(builder.model(), 4);
    CHECK(plan.crossings.empty());
    const std::vector<RankShares::Piece> quarters{{n / 4, 0}, {n / 2, 1}, {n / 4 * 3, 2}, {n, 3}};
    CHECK(std::ranges::equal(plan.shares.of(0), quarters));
    CHECK(std::ranges::equal(plan.shares.of(1), quarters));
    // by the list they would all cross
    const RankShares lists = sharesOfLists(builder.model(), 2);
    CHECK(std::ranges::equal(lists.of(0), std::vector<RankShares::Piece>{{n, 0}}));
    CHECK(std::ranges::equal(lists.of(1), std::vector<RankShares::Piece>{{n, 1}}));
}

namespace {

/// Bytes of the clocked region that take memory.
std::size_t residentIn(const Engine& engine) {
    constexpr std::size_t kPage = 4096;
    std::size_t pages = 0;
    for (const std::uint64_t cycle : {0u, 1u}) {
        const auto at =
            reinterpret_cast<std::uintptr_t>(engine.arena().slots(cycle, kOnlyGroup).write);
        std::vector<unsigned char> isThere(engine.model().clockedBytes / kPage);
        void* const first = reinterpret_cast<void*>((at + kPage - 1) / kPage * kPage);
        REQUIRE(mincore(first, (isThere.size() - 1) * kPage, isThere.data()) == 0);
        pages += static_cast<std::size_t>(std::ranges::count(isThere, 1));
    }
    return pages * kPage;
}

}  // namespace

TEST_CASE("a rank has memory for what it writes and reads", "[transport]") {
    constexpr std::uint32_t count = 1 << 20;
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);  // of this little, few huge pages are most
    Ring ring(count);
    const Model& model = ring.model();
    const RankPlan plan = planRanks(model, 2);
    RanksInProcess all(2, false);
    std::size_t resident[2] = {};
    std::uint32_t first[2] = {};
    const auto run = [&](unsigned rank) {
        const RankModel own(model, plan.shares, rank);
        const Residence residence(model, plan.owners, rank);
        StringSink out, err;
        Engine engine(own.model(), {}, 0, 1'000, out, err, &residence);
        engine.connect(all.of(rank), halosOf(model, plan.crossings, rank));
        engine.run(5);
        resident[rank] = residentIn(engine);
        std::memcpy(&first[rank], engine.final(0, rank * count / 2 + 5), sizeof first[rank]);
    };
    std::thread other(run, 1u);
    run(0);
    other.join();
    for (const unsigned rank : {0u, 1u}) {
        CHECK(resident[rank] > sizeof(std::uint32_t) * count * 19 / 20);
        CHECK(resident[rank] < sizeof(std::uint32_t) * count * 21 / 20);
        CHECK(first[rank] == Ring::expected(count, rank * count / 2 + 5, 5));
    }
    prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
}

TEST_CASE("what a rank shows after a run comes to the first one, and nothing else", "[transport]") {
    Ring ring(64);
    const Model& model = ring.model();
    const RankPlan plan = planRanks(model, 2);
    RanksInProcess all(2, false);
    std::uint32_t seen[2] = {};
    const auto run = [&](unsigned rank) {
        const RankModel own(model, plan.shares, rank);
        const Residence residence(model, plan.owners, rank);
        StringSink out, err;
        Engine engine(own.model(), {}, 0, 1'000, out, err, &residence);
        engine.connect(all.of(rank), halosOf(model, plan.crossings, rank));
        engine.run(3);
        collectState(all.of(rank), plan.owners, model, engine.arena(), engine.cycle(),
                     {{0, {30, 40}}, {0, {1, 2}}});
        if (rank != 0) return;
        std::memcpy(&seen[0], engine.final(0, 39), sizeof seen[0]);
        std::memcpy(&seen[1], engine.final(0, 40), sizeof seen[1]);
    };
    std::thread other(run, 1u);
    run(0);
    other.join();
    CHECK(seen[0] == Ring::expected(64, 39, 3));
    CHECK(seen[1] == 0);
}

TEST_CASE("one rank is not asked to exchange", "[transport]") {
    RanksInProcess one(1, false);
    Ring ring(8);
    StringSink out;
    StringSink err;
    Engine engine(ring.model(), {}, 0, 1'000, out, err);
    engine.connect(one.of(0), {});
    engine.run(10);
    CHECK(engine.ranks() == nullptr);
}

TEST_CASE("a wish from outside on one rank ends all on one cycle", "[transport]") {
    Ring ring(64);
    const Model& model = ring.model();  // it puts the model together: once, before the ranks
    const RankPlan plan = planRanks(model, 3);
    RanksInProcess all(3, false);
    std::uint64_t cycles[3] = {};
    std::uint32_t flags[3] = {};
    const std::atomic<std::uint32_t> request{1};
    const auto run = [&](unsigned rank) {
        const RankModel own(model, plan.shares, rank);
        StringSink out, err;
        Engine engine(own.model(), {}, 0, 1'000, out, err);
        engine.connect(all.of(rank), halosOf(model, plan.crossings, rank));
        if (rank == 2) engine.observation().watch(&request);
        flags[rank] = engine.run(~std::uint64_t{0});
        cycles[rank] = engine.cycle();
    };
    std::thread first(run, 1u), second(run, 2u);
    run(0);
    first.join();
    second.join();
    for (const unsigned rank : {0u, 1u, 2u}) {
        CHECK(flags[rank] == kRequested);
        CHECK(cycles[rank] == cycles[0]);
    }
}

TEST_CASE("ranks agree, gather and tell", "[transport]") {
    constexpr unsigned ranks = 3;
    RanksInProcess all(ranks, true);
    const auto run = [&](unsigned rank) {
        Transport& own = all.of(rank);
        for (std::uint64_t round = 0; round < 1'000; ++round) {
            const std::uint64_t bits = own.reduce(std::uint64_t{1} << ((rank + round) % 20));
            if (bits != (7ull << round % 20 | 7ull >> (20 - round % 20)) % (1u << 20)) return false;
            const std::vector<std::byte> mine(rank + round % 5, std::byte(rank));
            const auto gathered = own.gather(mine);
            if (gathered.size() != (rank == 0 ? ranks : 0)) return false;
            for (unsigned from = 0; from < gathered.size(); ++from)
                if (gathered[from] != std::vector(from + round % 5, std::byte(from))) return false;
            if (own.broadcast(mine) != std::vector(round % 5, std::byte(0))) return false;
        }
        return true;
    };
    bool good[ranks] = {};
    std::thread first([&] { good[1] = run(1); }), second([&] { good[2] = run(2); });
    good[0] = run(0);
    first.join();
    second.join();
    CHECK((good[0] && good[1] && good[2]));
}
