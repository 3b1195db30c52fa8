// A state is all that later cycles depend on, under whatever plan, in memory and as bytes.

#include "engine/snapshot.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>

#include "engine/engine.h"
#include "engine/state_bytes.h"
#include "output/error.h"
#include "schedule/choices.h"
#include "sme/state_format.h"
#include "test_models.h"
#include "trace/checksum.h"
#include "trace/listing.h"
#include "values/names.h"

using namespace sme;
using namespace sme::test;

namespace {

EngineConfig plan(ModelKind model, unsigned threads) {
    EngineConfig config;
    config.threads = threads;
    config.scheduling.model = model;
    return config;
}

/// An engine and where its text goes.
struct Simulation {
    explicit Simulation(const Model& model, const EngineConfig& config = {})
        : engine(model, config, 0, 1'000, out, err) {}
    StringSink out;
    StringSink err;
    Engine engine;
};

std::string whyRefused(const Model& model, std::span<const std::byte> bytes) {
    try {
        fromBytes(model, bytes);
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::State);
        return error.what();
    }
    return {};
}

/// The names of a Ring in another layout: two planes, and a run for each.
class SplitRing : public ModelBuilder {
public:
    explicit SplitRing(std::uint32_t n) {
        const std::uint32_t u32 = integer(false, 32);
        const std::uint32_t back = plane(Home::TwoSlots, u32, n - kFront);
        const std::uint32_t front = plane(Home::TwoSlots, u32, kFront);
        name("link[", "].v", kFront, front, kExposed);
        name("link[", "].v", n - kFront, back, kExposed);
        model_ = model();
        runs_ = {model_.names[0], model_.names[1]};
        runs_[1].index = kFront;
        model_.names = runs_.data();
    }
    const Model& split() const { return model_; }

private:
    static constexpr std::uint32_t kFront = 3;
    Model model_;
    std::array<NameRun, 2> runs_;
};

/// What an extern process might be. Counts the objects that there are.
struct Counted {
    Counted() { ++alive; }
    Counted(const Counted& other) : count(other.count) { ++alive; }
    ~Counted() { --alive; }
    Counted& operator=(const Counted&) = delete;
    std::uint32_t count = 0;
    static inline std::atomic<int> alive{0};
};

Counted* countedBy(std::uint64_t object) { return reinterpret_cast<Counted*>(object); }

/// Three processes that write how often they ran, which objects count.
class Counters : public ModelBuilder {
public:
    explicit Counters(std::uint64_t (*copy)(std::uint64_t) = [](std::uint64_t object) {
        if (object == 0) return std::uint64_t{1};
        return reinterpret_cast<std::uint64_t>(new Counted(*countedBy(object)));
    }) {
        const std::uint32_t places = plane(Home::OneSlot, integer(false, 64), kCount);
        const std::uint32_t out = plane(Home::TwoSlots, integer(false, 32), kCount);
        process("counter", kernel, kCount, 1, 1, 0, 0, 1);
        name("out[", "].v", kCount, out, kExposed);
        objects_ = {places, [](std::uint64_t object) { delete countedBy(object); }, copy, "counter",
                    save};
        raw.objects = &objects_;
        raw.objectCount = 1;
    }

private:
    static constexpr std::uint32_t kCount = 3;
    static std::uint64_t save(std::uint64_t) { return 0; }
    static void kernel([[maybe_unused]] const Thread& thread, const Slots& slots,
                       std::uint32_t begin, std::uint32_t end) {
        auto* objects = in<std::uint64_t>(slots.state, 0);
        for (std::uint32_t i = begin; i < end; ++i) {
            if (objects[i] == 0) objects[i] = reinterpret_cast<std::uint64_t>(new Counted);
            in<std::uint32_t>(slots.write, 0)[i] = i + ++countedBy(objects[i])->count;
        }
    }
    Objects objects_{};
};

template <typename Function>
std::string whyRefused(const Function& function) {
    try {
        function();
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::Usage);
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("a state goes on as the run did, under every model and number of threads") {
    Mixed mixed({});
    Simulation whole(mixed.model());
    whole.engine.run(17);
    const Snapshot kept = whole.engine.snapshot();
    whole.out.text.clear();
    whole.engine.run(60);
    const std::vector<std::byte> bytes = toBytes(mixed.model(), kept);
    for (const auto& [name, model] : kModels) {
        for (const unsigned threads : {1u, 2u, 3u}) {
            for (const bool asBytes : {false, true}) {
                Simulation other(mixed.model(), plan(model, threads));
                other.engine.run(5);  // whatever it was before
                other.out.text.clear();
                other.engine.restore(asBytes ? fromBytes(mixed.model(), bytes) : kept);
                CHECK(other.engine.cycle() == 17);
                other.engine.run(60);
                CHECK(checksum(other.engine) == checksum(whole.engine));
                CHECK(other.out.text == whole.out.text);
            }
        }
    }
}

TEST_CASE("a state is a value: what runs on does not change it") {
    Ring ring(40);
    Simulation run(ring.model());
    run.engine.run(3);
    const Snapshot kept = run.engine.snapshot();
    const std::uint64_t there = checksum(run.engine);
    run.engine.run(10);
    const Snapshot moved = Snapshot(kept);
    for (int again = 0; again < 2; ++again) {
        run.engine.restore(moved);
        CHECK(checksum(run.engine) == there);
        run.engine.run(8);
    }
}

TEST_CASE("the state before cycle 0 needs no memory, also as bytes") {
    Mixed mixed({});
    Simulation run(mixed.model());
    const std::uint64_t fresh = checksum(run.engine);
    run.engine.run(9);
    const Snapshot start = initialState(mixed.model());
    CHECK(start.memory.empty());
    run.engine.restore(fromBytes(mixed.model(), toBytes(mixed.model(), start)));
    CHECK(run.engine.cycle() == 0);
    CHECK(checksum(run.engine) == fresh);
}

TEST_CASE("bytes go by path: another layout of the same names takes them") {
    Ring ring(20);
    SplitRing split(20);
    Simulation run(ring.model());
    run.engine.run(7);
    Simulation other(split.split());
    other.engine.restore(fromBytes(split.split(), toBytes(ring.model(), run.engine.snapshot())));
    CHECK(other.engine.cycle() == 7);
    CHECK(checksum(other.engine) == checksum(run.engine));
}

TEST_CASE("states that do not fit are refused") {
    Ring ring(20);
    Simulation run(ring.model());
    run.engine.run(7);
    const std::vector<std::byte> good = toBytes(ring.model(), run.engine.snapshot());
    CHECK(whyRefused(ring.model(), good).empty());

    for (std::size_t length = 0; length < good.size(); ++length)
        CHECK_FALSE(whyRefused(ring.model(), std::span(good).first(length)).empty());
    std::vector<std::byte> bytes = good;
    bytes.push_back(std::byte{0});
    CHECK(whyRefused(ring.model(), bytes) == "the state goes on after its end at byte 200");
    bytes = good;
    bytes[0] = std::byte{'x'};
    CHECK(whyRefused(ring.model(), bytes) == "the state is none: it does not start like one");
    bytes = good;
    bytes[8] = std::byte{9};
    CHECK(whyRefused(ring.model(), bytes) == "the state has version 9; this program reads 8");
    bytes = good;
    const std::array type{std::byte{'u'}, std::byte{'3'}, std::byte{'2'}};
    const auto found = std::search(bytes.begin(), bytes.end(), type.begin(), type.end());
    REQUIRE(found != bytes.end());
    std::fill_n(found + 3, 8, std::byte{0});  // values of no bytes
    CHECK(whyRefused(ring.model(), bytes) == "the state is damaged at byte 108");

    Ring larger(21);
    CHECK(whyRefused(larger.model(), good).find(": 'link[20].v' is new") != std::string::npos);
    Ring smaller(19);
    CHECK(whyRefused(smaller.model(), good).find("'link[19].v' is gone") != std::string::npos);
    Model edited = ring.model();
    edited.hash ^= 1;
    CHECK(whyRefused(edited, good).ends_with("another design or another version of this one"));
    Simulation of(edited);
    CHECK_THROWS_AS(of.engine.restore(run.engine.snapshot()), Error);
}

TEST_CASE("a state of another version is taken over as far as it matches") {
    Ring ring(20), smaller(19);
    Simulation run(ring.model());
    run.engine.run(7);
    const std::vector<std::byte> bytes = toBytes(ring.model(), run.engine.snapshot());
    const TakenOver same = takeOver(ring.model(), bytes);
    CHECK(same.differences.empty());
    const TakenOver taken = takeOver(smaller.model(), bytes);
    CHECK(listed(taken.differences, 99).find("'link[19].v' is gone") != std::string::npos);
    Simulation other(smaller.model());
    other.engine.restore(taken.snapshot);
    CHECK(other.engine.cycle() == 7);
    const NameTable names(ring.model()), others(smaller.model());
    for (const char* path : {"link[0].v", "link[18].v"})
        CHECK(finalValue(other.engine, *others.find(path))
              == finalValue(run.engine, *names.find(path)));
}

TEST_CASE("differences are listed up to a number") {
    CHECK(listed({}, 2).empty());
    CHECK(listed({"a", "b"}, 2) == "a, b");
    CHECK(listed({"a", "b", "c", "d"}, 2) == "a, b and 2 more");
    CHECK(otherType("x", "u8/8", "u9/9") == "'x' was a u8 and is a u9");
    CHECK(otherType("x", "t a=1/8", "t a=2/8") == "'x' has another type of the name t");
}

TEST_CASE("a state's values are values of their types") {
    Inputs inputs;
    Simulation run(inputs.model());
    run.engine.run(2);
    const std::vector<std::byte> good = toBytes(inputs.model(), run.engine.snapshot());
    CHECK(whyRefused(inputs.model(), good).empty());
    // somewhere in it are a bool, an enum, a number with a range: 0xff is none of these
    std::size_t refused = 0;
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::vector<std::byte> bytes = good;
        bytes[at] = std::byte{0xff};
        refused +=
            whyRefused(inputs.model(), bytes).find("a value that is none of ") != std::string::npos
                ? 1
                : 0;
    }
    CHECK(refused >= 3);
}

TEST_CASE("objects of extern processes are copied into a state and out of it") {
    CHECK(Counted::alive == 0);
    {
        Counters counters;
        Simulation run(counters.model());
        run.engine.run(4);
        CHECK(Counted::alive == 3);
        const Snapshot kept = run.engine.snapshot();
        CHECK(Counted::alive == 6);
        run.engine.run(9);
        const std::uint64_t there = checksum(run.engine);
        for (int again = 0; again < 2; ++again) {
            const Snapshot moved = Snapshot(kept);
            CHECK(Counted::alive == 9);
            run.engine.restore(moved);
            CHECK(Counted::alive == 9);  // those that ran went
            run.engine.run(9);
            CHECK(checksum(run.engine) == there);
        }
        Simulation other(counters.model(), plan(ModelKind::Stealing, 2));
        other.engine.restore(kept);
        other.engine.run(9);
        CHECK(checksum(other.engine) == there);
        run.engine.restore(initialState(counters.model()));
        CHECK(Counted::alive == 6);
    }
    CHECK(Counted::alive == 0);
}

TEST_CASE("objects that cannot be written are named") {
    Counters counters;
    Counters alone([](std::uint64_t) { return std::uint64_t{0}; });
    for (Counters* each : {&counters, &alone}) {
        Simulation run(each->model());
        run.engine.run(1);
        CHECK(whyRefused([&] { toBytes(each->model(), run.engine.snapshot()); })
              == "the state has objects of the extern process 'counter', whose class has no save() "
                 "and load()");
    }
}

TEST_CASE("objects that cannot be copied belong to a run and not to its states") {
    CHECK(Counted::alive == 0);
    {
        Counters alone([](std::uint64_t) { return std::uint64_t{0}; });
        const NameTable names(alone.model());
        const Ref out = *names.find("out[1].v");
        Simulation run(alone.model());
        run.engine.run(4);
        const Snapshot kept = run.engine.snapshot();
        CHECK(Counted::alive == 3);
        run.engine.run(9);
        run.engine.restore(kept);
        CHECK(Counted::alive == 3);
        run.engine.run(5);  // the tenth call of each
        CHECK(finalValue(run.engine, out).front() == std::byte{11});
        Simulation other(alone.model());
        other.engine.restore(kept);
        other.engine.run(5);
        CHECK(finalValue(other.engine, out).front() == std::byte{2});
        CHECK(Counted::alive == 6);
        run.engine.restore(initialState(alone.model()));
        CHECK(Counted::alive == 3);
    }
    CHECK(Counted::alive == 0);
}
