// Cycles that nobody observes: which these are, and what happens when one has something to say.

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>

#include "engine/engine.h"
#include "engine/target.h"
#include "engine/unobserved_cycles.h"
#include "schedule/choices.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

using CycleSet = std::set<std::uint64_t>;

/// A register x and an output that is equal to it: x += 1. As generated kernels do, it stores the
/// output in observed cycles alone. Notes which these were, prints in the cycles `says`, and stops
/// in the cycle `stops`.
class Counter : public ModelBuilder {
public:
    static constexpr std::uint32_t kX = 0, kOut = 1;

    explicit Counter(bool mayEnd = false) {
        says.clear();
        observed.clear();
        calls = 0;
        stops = ~std::uint64_t{0};
        onCycles = {};
        const std::uint32_t x = plane(Home::OneSlot, integer(false, 64), 1);
        const std::uint32_t out = plane(Home::TwoSlots, integer(false, 64), 1);
        const std::uint32_t p = process("p", nullptr, 1, 1, 1, 0, 0, 1);
        block(p, observe);
        writes(p, x);
        writes(p, out);
        name("x", nullptr, 1, x, 0);
        name("out.v", nullptr, 1, out, 0);
        static constexpr ArgFormat kFormat{ArgKind::Unsigned, 64, 0};
        static constexpr TraceSite kSite{"in {}", &kFormat, 1};
        sites(p, &kSite, nullptr);
        unobserved(p, {cycles, settle, mayEnd});
    }

    static void observe(const Thread& thread, const Slots& slots) {
        auto* const x = in<std::uint64_t>(slots.state, 0);
        // the output tells what x was
        if (slots.cycle != 0 && *in<std::uint64_t>(slots.read, 0) != *x) ++stale;
        observed.insert(slots.cycle);
        *x += 1;
        *in<std::uint64_t>(slots.write, 0) = *x;
        const Arg arg{slots.cycle, 0};
        if (says.contains(slots.cycle)) trace(thread, slots, 0, 0, 0, &arg);
        if (stops == slots.cycle) stop(thread, slots, 0, 0, 3);
    }
    static std::uint64_t cycles(const Thread& thread, const Slots& first, std::uint64_t most) {
        ++calls;
        if (onCycles) onCycles->store(1);
        CHECK(first.read != first.write);
        auto* const x = in<std::uint64_t>(first.state, 0);
        for (std::uint64_t i = 0; i < most; ++i) {
            const std::uint64_t cycle = first.cycle + i;
            if (says.contains(cycle) || stops == cycle) {
                *x += 1000;  // half of a cycle, and output of functions
                const Arg arg{7, 0};
                trace(thread, first, 0, 0, 0, &arg);
                return i;
            }
            *x += 1;
        }
        return most;
    }
    static void settle(std::byte* slot, const std::byte* state) {
        *in<std::uint64_t>(slot, 0) = *in<std::uint64_t>(state, 0);
    }

    static inline CycleSet says, observed;
    static inline std::uint64_t calls = 0, stale = 0, stops = 0;
    static inline std::atomic<std::uint32_t>* onCycles = nullptr;  ///< set by each stretch
};

void set(Engine& engine, std::uint32_t plane, std::uint64_t value) {
    std::memcpy(const_cast<std::byte*>(engine.final(plane, 0)), &value, sizeof value);
}
std::uint64_t valueOf(const Engine& engine, std::uint32_t plane) {
    return *in<std::uint64_t>(engine.final(plane, 0), 0);
}

/// A counter and what runs it.
struct Bench {
    explicit Bench(bool mayEnd = false, const EngineConfig& config = {})
        : counter(mayEnd), engine(counter.model(), config, 0, 1, out, err) {}
    /// The cycles that were observed since it was asked last.
    CycleSet observed() { return std::exchange(Counter::observed, {}); }

    Counter counter;
    StringSink out, err;
    Engine engine;
};

class Looking : public Observer {
public:
    std::uint32_t during(std::uint64_t cycle) override {
        return cycle == 15 ? std::uint32_t{kRowsEnd} : 0;
    }
    std::uint32_t between(std::uint64_t) override { return 0; }
    std::uint64_t nextWanted(std::uint64_t cycle) const override { return std::max(cycle, wanted); }
    std::uint64_t wanted = 0;
};

CycleSet range(std::uint64_t first, std::uint64_t end) {
    CycleSet cycles;
    while (first < end)
        cycles.insert(first++);
    return cycles;
}

std::string lines(const CycleSet& cycles) {
    std::string text;
    for (const std::uint64_t cycle : cycles)
        text += "in " + std::to_string(cycle) + "\n";
    return text;
}

}  // namespace

TEST_CASE("the first and the last cycle of a run are observed, and those that somebody wants") {
    Bench bench;
    Engine& engine = bench.engine;
    engine.run(1);
    CHECK(bench.observed() == CycleSet{0});
    engine.run(5);
    CHECK(bench.observed() == CycleSet{1, 4});
    Looking looking;
    looking.wantsBetween = true;
    engine.run(10, &looking);
    CHECK(bench.observed() == range(5, 10));
    looking.wantsBetween = false;
    looking.wantsDuring = true;
    engine.run(11, &looking);
    looking.bearsUndo = true;  // which does not mean that it does not look
    engine.run(13, &looking);
    CHECK(bench.observed() == range(10, 13));
    looking.onlyDrives = true;  // and ends the run at 15
    CHECK(engine.run(20, &looking) == kRowsEnd);
    CHECK(bench.observed() == CycleSet{13, 15});
    std::atomic<std::uint32_t> request{1};
    engine.observation().watch(&request);
    engine.run(20);
    CHECK(engine.cycle() == 17);
    CHECK(bench.observed() == CycleSet{16});
    CHECK(Counter::stale == 0);
}

TEST_CASE("an observer says from when on it looks") {
    for (const bool mayEnd : {false, true}) {
        Bench bench(mayEnd);
        Looking looking;
        looking.wantsDuring = looking.wantsBetween = true;
        looking.wanted = 10'000;
        bench.engine.run(10'010, &looking);
        CHECK(!bench.observed().contains(5000));
        bench.engine.run(10'020, &looking);
        CHECK(bench.observed() == range(10'010, 10'020));
        CHECK(valueOf(bench.engine, Counter::kOut) == 10'020);
    }
    Bench bench;
    Looking looking;
    looking.wantsDuring = looking.wantsBetween = true;
    looking.wanted = 40;
    bench.engine.run(50, &looking);
    CycleSet wanted = range(39, 50);  // that of the cycle before is kept for 40
    wanted.insert(0);
    CHECK(bench.observed() == wanted);
}

TEST_CASE("schedulers do not cost designs of one piece their unobserved cycles") {
    for (const auto& [name, model] : kModels) {
        for (const unsigned threads : {1u, 2u}) {
            EngineConfig config;
            config.threads = threads;
            config.scheduling.model = model;
            Bench bench(false, config);
            bench.engine.run(50);
            CHECK(bench.observed() == CycleSet{0, 49});
            bench.engine.configure({});
            bench.engine.run(60);
            bench.engine.configure(config);
            bench.engine.run(65);
            CHECK(bench.observed() == CycleSet{50, 59, 60, 64});
            CHECK(valueOf(bench.engine, Counter::kOut) == 65);
        }
    }
}

TEST_CASE("a wish for the end is heard behind a stretch, and one more cycle is observed") {
    std::atomic<std::uint32_t> request{0};
    Bench bench;
    bench.engine.observation().watch(&request);
    Counter::onCycles = &request;
    bench.engine.run(10'000'000);
    CHECK(bench.engine.cycle() == target::kMostStretch + 2);
    CHECK(bench.observed() == CycleSet{0, target::kMostStretch + 1});
    CHECK(valueOf(bench.engine, Counter::kX) == bench.engine.cycle());
    CHECK(valueOf(bench.engine, Counter::kOut) == bench.engine.cycle());
}

TEST_CASE("the cycle that runs is shown") {
    std::atomic<std::uint64_t> shown{0};
    Bench bench;
    bench.engine.observation().show(&shown);
    bench.engine.run(3 * target::kMostStretch);
    CHECK(shown == 3 * target::kMostStretch - 1);
    CHECK(bench.observed().size() == 2);
}

TEST_CASE("between runs a variable is the truth, and not the output that is equal to it") {
    for (const bool mayEnd : {false, true}) {
        Bench bench(mayEnd);
        Engine& engine = bench.engine;
        engine.run(100);
        CHECK(valueOf(engine, Counter::kX) == 100);
        CHECK(valueOf(engine, Counter::kOut) == 100);
        set(engine, Counter::kX, 1000);
        engine.run(150);
        CHECK(valueOf(engine, Counter::kX) == 1050);
        const Snapshot there = engine.snapshot();
        set(engine, Counter::kOut, 7);
        engine.run(160);
        CHECK(valueOf(engine, Counter::kOut) == 1060);
        engine.restore(there);
        engine.run(180);
        CHECK(valueOf(engine, Counter::kX) == 1080);
        EngineConfig two;
        two.threads = 2;
        engine.configure(two);
        engine.run(600);
        CHECK(valueOf(engine, Counter::kX) == 1500);
    }
}

TEST_CASE("a cycle that has something to say is observed, and those before it run once more") {
    const CycleSet sets[] = {
        {1},  {2},   {1, 2, 3}, {15, 16, 17}, {16},     {17},          {18, 34, 50},
        {33}, {500}, {998},     {999},        {0, 999}, range(20, 40), {100, 101, 300, 900}};
    for (const CycleSet& says : sets) {
        Bench bench(true);
        Counter::stale = 0;
        Counter::says = says;
        bench.engine.run(1000);
        const CycleSet observed = bench.observed();
        CHECK(std::includes(observed.begin(), observed.end(), says.begin(), says.end()));
        CHECK(bench.out.text == lines(says));
        CHECK(valueOf(bench.engine, Counter::kX) == 1000);
        CHECK(valueOf(bench.engine, Counter::kOut) == 1000);
        CHECK(Counter::stale == 0);
    }
    for (const std::uint64_t stops : {1u, 2u, 16u, 17u, 18u, 333u, 998u}) {
        Bench bench(true);
        Counter::stops = stops;
        CHECK((bench.engine.run(1000) & kEnds) == kStopped);
        CHECK(bench.engine.cycle() == stops + 1);
        CHECK(valueOf(bench.engine, Counter::kOut) == stops + 1);
        CHECK(bench.out.text.empty());
        // it goes on
        Counter::stops = ~std::uint64_t{0};
        bench.engine.run(2000);
        CHECK(valueOf(bench.engine, Counter::kOut) == 2000);
    }
}

TEST_CASE("a design that says something all the time is seldom asked for unobserved cycles") {
    for (const std::uint64_t interval : {1u, 2u, 3u, 10u, 100u}) {
        Bench bench(true);
        for (std::uint64_t cycle = interval; cycle < 20'000; cycle += interval)
            Counter::says.insert(cycle);
        bench.engine.run(20'000);
        CHECK(Counter::calls < 20'000 / 256);
        CHECK(bench.out.text == lines(Counter::says));
        CHECK(valueOf(bench.engine, Counter::kOut) == 20'000);
    }
}

TEST_CASE("what is in vain is a small part of all cycles") {
    for (const std::uint64_t interval : {1u, 2u, 10u, 100u, 1000u, 100'000u}) {
        for (const std::uint64_t bytes : {64u, 4096u, 1u << 20, 1u << 30}) {
            StretchPace pace(100, true, bytes);
            const std::uint64_t copy = bytes / 400 + 1;  // cycles
            bool isBounded = true;
            std::uint64_t all = 0, vain = 0, unobserved = 0, longest = 0;
            while (all < 10'000'000) {
                const std::uint64_t most = pace.next(10'000'000);
                const std::uint64_t before =
                    interval - 1 - all % interval;  // cycles until it happens
                longest = std::max(longest, most);
                if (most == 0) {
                    pace.passed(1);
                    ++all;
                    continue;
                }
                isBounded = isBounded && most * 100 <= 100'000'000  // some 30 ms
                            && most >= 15 * (copy - 1);             // worth the copy
                if (before >= most) {
                    pace.passed(most);
                    all += most;
                    unobserved += most;
                    continue;
                }
                pace.broke(before);
                pace.passed(1);
                vain += before + 2 * copy;
                all += before + 1;
                unobserved += before;
            }
            CHECK(isBounded);
            CHECK(vain <= all / 16 + longest + 2 * copy);
            if (interval >= 100'000 && bytes <= 4096) CHECK(unobserved > all * 9 / 10);
        }
    }
}
