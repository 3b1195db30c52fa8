// One body on 1, 2, 3, 4, 8 threads, every model, chunk and wait: the same output, state and
// status.

#include "engine/engine.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <map>
#include <set>

#include "schedule/choices.h"
#include "test_models.h"
#include "trace/checksum.h"

using namespace sme;
using namespace sme::test;

namespace {

const std::vector<std::vector<std::string>> kPlans = {
    {"--model", "m1", "--chunk", "static"},
    {"--model", "m1", "--chunk", "ss"},
    {"--model", "m1", "--chunk", "gss"},
    {"--model", "m1", "--chunk", "pss"},
    {"--model", "m1", "--chunk", "pls"},
    {"--model", "m1", "--chunk", "fiss:4", "--min-chunk", "3"},
    {"--model", "m2"},
    {"--model", "m2", "--orchestrate", "thesis"},
    {"--model", "m2", "--orchestrate", "roundrobin"},
    {"--model", "m2", "--orchestrate", "profile:3"},
    {"--model", "m2", "--orchestrate", "montecarlo:5"},
    {"--model", "m2", "--orchestrate", "optimize"},
    {"--model", "m3"},
    {"--model", "m3", "--chunk", "ss", "--steal", "one", "--victim", "rnd"},
    {"--model", "m3", "--chunk", "mfsc", "--groups", "2", "--victim", "rndpri", "--assign",
     "cyclic"},
    {"--model", "m3", "--chunk", "ss", "--groups", "2", "--foreman"},
    {"--model", "m3", "--queues", "group", "--groups", "3", "--prepartition", "--victim", "seq"},
    {"--model", "m3", "--queues", "node", "--chunk", "fac2"},
};

std::vector<std::string> join(std::vector<std::string> a, const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// Runs `arguments` under every plan and compares with one thread.
Result everyWay(const Model& model, const std::vector<std::string>& arguments,
                const char* wait = "adaptive",
                const std::vector<const char*>& numbers = {"1", "2", "3", "4", "8", "auto"}) {
    const Result expected = simulate(model, join(arguments, {"--threads", "1"}));
    for (const char* threads : numbers) {
        for (const auto& plan : kPlans) {
            INFO("threads " << threads << ", " << plan[1] << " " << plan.back() << ", wait "
                            << wait);
            const Result got =
                simulate(model, join(join(arguments, plan),
                                     {"--threads", threads, "--wait", wait, "--oversubscribe"}));
            CHECK(got.status == expected.status);
            CHECK(got.out == expected.out);
            CHECK(got.err == expected.err);
        }
    }
    return expected;
}

}  // namespace

TEST_CASE("a ring counts the same on any number of threads") {
    Ring ring(100);
    const Result result = everyWay(ring.model(), {"--cycles", "257", "--print", "link[3].v",
                                                  "--print", "link[99].v", "--checksum"});
    CHECK(result.status == 0);
    CHECK(result.out.starts_with("link[3].v: " + std::to_string(Ring::expected(100, 3, 257))
                                 + "\nlink[99].v: " + std::to_string(Ring::expected(100, 99, 257))
                                 + "\n"));
    CHECK(Ring::expected(100, 57, 257) == 12345 + 257);
}

TEST_CASE("more threads than processors: their shares are dealt to those that can run") {
    Mixed mixed({});
    StringSink expected;
    StringSink err;
    Engine one(mixed.model(), {}, 0, 1, expected, err);
    one.run(30);
    for (const unsigned processors : {1u, 2u, 3u, 5u, 9u}) {
        for (const ModelKind model : {ModelKind::WorkList, ModelKind::Static}) {
            EngineConfig config;
            config.threads = 5;
            config.processors = processors;
            config.scheduling.model = model;
            CHECK(config.running() == std::min(5u, processors));
            StringSink out;
            Engine engine(mixed.model(), config, 0, 1, out, err);
            engine.run(30);
            CHECK(out.text == expected.text);
            CHECK(checksum(engine) == checksum(one));
        }
    }
    const Result result = simulate(mixed.model(), {"--cycles", "3", "--threads", "1000"}, true);
    CHECK(result.status == 0);
    CHECK(result.err.find("(--threads 1000, whose shares they run in turn)") != std::string::npos);
}

TEST_CASE("short runs: the caller alone or all threads, in any order") {
    Mixed mixed({});
    StringSink expected, err;
    Engine one(mixed.model(), {}, 0, 1, expected, err);
    one.run(400);
    for (const auto& [name, model] : kModels) {
        EngineConfig config;
        config.threads = 3;
        config.oversubscribed = true;
        config.scheduling.model = model;
        StringSink out;
        Engine engine(mixed.model(), config, 0, 1, out, err);
        // some of one cycle or a few, then as many as all threads run whatever they cost
        for (std::uint64_t i = 0; engine.cycle() < 400; ++i)
            engine.run(
                std::min<std::uint64_t>(400, engine.cycle() + (i % 25 == 24 ? 65 : 1 + i % 3)));
        CHECK(out.text == expected.text);
        CHECK(checksum(engine) == checksum(one));
    }
}

TEST_CASE("short runs stay where waking others costs more than they save") {
    ShortRuns runs;
    for (int i = 0; i < 16; ++i)
        CHECK_FALSE(runs.stays(1, 2));
    CHECK(runs.stays(1, 2));  // to know what it takes
    CHECK_FALSE(runs.stays(1, 1));
    CHECK_FALSE(runs.stays(1'000, 2));
    for (int i = 0; i < 50; ++i)
        runs.took(1, 1'000);
    CHECK(runs.stays(1, 2));
    CHECK(runs.stays(10, 2));
    CHECK_FALSE(runs.stays(60, 2));
    for (int i = 0; i < 50; ++i)
        runs.took(2, 60'000);
    CHECK_FALSE(runs.stays(1, 2));
    int tries = 0;
    while (!runs.stays(1, 2))
        ++tries;
    CHECK(tries > 10);  // some time it looks again
}

TEST_CASE("rings of awkward sizes") {
    for (const std::uint32_t n : {1u, 2u, 15u, 16u, 17u, 33u}) {
        Ring ring(n);
        everyWay(ring.model(), {"--cycles", "7", "--checksum"});
    }
}

TEST_CASE("traces and state of two levels are the same under every plan") {
    Mixed mixed({});
    const Result result = everyWay(mixed.model(), {"--cycles", "60", "--checksum"});
    CHECK(result.status == 0);
    CHECK(result.out.find("blend {}\n") != std::string::npos);
    CHECK(result.out.find(": acc ") != std::string::npos);
    CHECK(result.out.find(" is even\n") != std::string::npos);
}

TEST_CASE("every way to wait") {
    Mixed mixed({});
    const Model& model = mixed.model();
    everyWay(model, {"--cycles", "40", "--checksum"}, "block");
    everyWay(model, {"--cycles", "40", "--checksum"}, "yield", {"2", "3"});
    everyWay(model, {"--cycles", "40", "--checksum"}, "spin", {"2"});
    everyWay(model, {"--cycles", "2", "--checksum"}, "spin",
             {"4"});  // takes turns by time slices on a small machine
}

TEST_CASE("all threads end after the same cycle") {
    SECTION("stop: the first in output order sets the status") {
        MixedPlan plan;
        plan.stopCycle = 23;
        Mixed mixed(plan);
        const Result result = everyWay(mixed.model(), {"--checksum"});
        CHECK(result.status == 5);
    }
    SECTION("failure: reported in output order") {
        MixedPlan plan;
        plan.failCycle = 11;
        plan.trace = false;
        Mixed mixed(plan);
        const Result result = everyWay(mixed.model(), {"--checksum"});
        CHECK(result.status == 1);
        CHECK(result.err
              == "mixed.sme:12:5: error: assertion failed: sink 2\n  in instance 'sink[2]', cycle "
                 "11\n"
                 "mixed.sme:12:5: error: assertion failed: sink 8\n  in instance 'sink[8]', cycle "
                 "11\n");
    }
    SECTION("a failure in the cycle of a stop makes the status 1") {
        MixedPlan plan;
        plan.stopCycle = plan.failCycle = 4;
        Mixed mixed(plan);
        CHECK(everyWay(mixed.model(), {}).status == 1);
    }
    SECTION("in the first cycle") {
        MixedPlan plan;
        plan.stopCycle = 0;
        Mixed mixed(plan);
        CHECK(everyWay(mixed.model(), {"--checksum"}).status == 5);
    }
    SECTION("the limit comes first") {
        MixedPlan plan;
        plan.stopCycle = 9;
        Mixed mixed(plan);
        CHECK(everyWay(mixed.model(), {"--cycles", "9"}).status == 0);
        CHECK(everyWay(mixed.model(), {"--cycles", "10"}).status == 5);
    }
    SECTION("no cycle at all") {
        Mixed mixed({});
        const Result result =
            everyWay(mixed.model(), {"--cycles", "0", "--print", "source[0].acc"});
        CHECK(result.status == 0);
        CHECK(result.out == "source[0].acc: 7\n");
    }
}

TEST_CASE("a trace file is the same under every plan") {
    Mixed mixed({});
    const std::string path = temporaryPath("mixed.csv");
    std::string first;
    for (const char* threads : {"1", "2", "3", "8"}) {
        for (const auto& plan : kPlans) {
            const Result result = simulate(
                mixed.model(),
                join({"--cycles", "25", "--trace", path, "--trace-all", "--threads", threads},
                     plan));
            REQUIRE(result.status == 0);
            const std::string content = readFile(path);
            if (first.empty()) first = content;
            CHECK(content == first);
            // a trace is its own expectation
            CHECK(simulate(mixed.model(), join({"--expect", path, "--threads", threads}, plan))
                      .err.empty());
        }
    }
    CHECK(std::count(first.begin(), first.end(), '\n') == 26);
}

TEST_CASE("a trace that begins later has the rows of a whole one, under every plan") {
    Mixed mixed({});
    const std::string all = temporaryPath("all.csv");
    const std::string late = temporaryPath("late.csv");
    const std::vector<std::string> whole = {"--cycles", "60", "--trace", all, "--trace-all"};
    const Result told = simulate(mixed.model(), join(whole, {"--threads", "1"}));
    const std::string rows = readFile(all);
    const std::size_t names = rows.find('\n') + 1;
    std::size_t at = names;
    for (unsigned row = 0; row < 40; ++row)
        at = rows.find('\n', at) + 1;
    for (const char* threads : {"1", "2", "3"}) {
        for (const auto& plan : kPlans) {
            INFO("threads " << threads << ", " << plan[1] << " " << plan.back());
            const Result got =
                simulate(mixed.model(), join({"--cycles", "60", "--trace", late, "--trace-all",
                                              "--trace-start", "40", "--threads", threads},
                                             plan));
            CHECK(got.status == told.status);
            CHECK(got.out == told.out);
            CHECK(readFile(late) == rows.substr(0, names) + rows.substr(at));
        }
    }
}

TEST_CASE("one thread does not tell of cycles that nobody wants to see") {
    class Noting : public Observer {
    public:
        std::uint32_t during(std::uint64_t cycle) override {
            told.insert(cycle);
            return 0;
        }
        std::uint32_t between(std::uint64_t cycle) override {
            behind.insert(cycle);
            return 0;
        }
        std::uint64_t nextWanted(std::uint64_t cycle) const override {
            return std::max(cycle, std::uint64_t{40});
        }
        std::set<std::uint64_t> told, behind;
    };
    MixedPlan plan;
    plan.trace = false;
    Mixed mixed(plan);
    for (const auto& [name, model] : kModels) {
        EngineConfig config;
        config.scheduling.model = model;
        StringSink out;
        StringSink err;
        Engine engine(mixed.model(), config, 0, 1, out, err);
        Noting noting;
        noting.wantsDuring = noting.wantsBetween = true;
        std::atomic<std::uint64_t> shown{0};
        engine.observation().show(&shown);
        engine.run(50, &noting);
        CHECK(shown == 49);
        // that of the cycle before is kept for 40
        CHECK(*noting.told.begin() == 39);
        CHECK(noting.told.size() == 11);
        CHECK(noting.behind.contains(38));
        CHECK(noting.behind.size() == 12);
        Engine alone(mixed.model(), {}, 0, 1, out, err);
        alone.run(50);
        CHECK(checksum(engine) == checksum(alone));
        // the next run may be one of all threads
        config.threads = 2;
        engine.configure(config);
        engine.run(70);
        alone.run(70);
        CHECK(checksum(engine) == checksum(alone));
    }
}

TEST_CASE("an engine goes on where it stopped, under another plan") {
    Mixed mixed({});
    StringSink out;
    StringSink err;
    Engine whole(mixed.model(), {}, 0, 1, out, err);
    CHECK(whole.run(50) == 0);

    StringSink parts;
    EngineConfig config;
    config.threads = 2;
    Engine engine(mixed.model(), config, 0, 1, parts, err);
    CHECK(engine.run(1) == 0);
    CHECK(engine.run(1) == 0);
    CHECK(engine.cycle() == 1);
    engine.run(7);
    config.threads = 3;
    config.scheduling.model = ModelKind::WorkList;
    engine.configure(config);
    engine.run(20);
    config.scheduling.chunk.scheme = ChunkScheme::SelfScheduling;
    engine.configure(config);
    for (std::uint64_t cycle = 21; cycle <= 40; ++cycle)
        engine.run(cycle);
    config.threads = 1;
    engine.configure(config);
    engine.run(50);
    CHECK(checksum(engine) == checksum(whole));
    CHECK(parts.text == out.text);
}

TEST_CASE("two engines live side by side") {
    Ring ring(64);
    StringSink out;
    StringSink err;
    EngineConfig config;
    config.threads = 2;
    Engine a(ring.model(), config, 0, 1, out, err);
    Engine b(ring.model(), config, 0, 1, out, err);
    a.run(10);
    b.run(10);
    CHECK(checksum(a) == checksum(b));
    a.run(11);
    CHECK(checksum(a) != checksum(b));
}

TEST_CASE("a big ring is initialised by its threads") {
    constexpr std::uint32_t n = 1 << 20;  // two slots of 4 MiB; the rest of the arena makes it big
    Ring ring(n);
    ring.model();
    ring.raw.stateBytes = std::uint64_t{30} << 20;
    std::string first;
    for (const char* threads : {"1", "3"}) {
        const Result result = simulate(ring.raw, {"--cycles", "3", "--threads", threads,
                                                  "--checksum", "--print", "link[3].v"});
        CHECK(result.out.starts_with("link[3].v: 12348\n"));
        if (first.empty()) first = result.out;
        CHECK(result.out == first);
    }
}

TEST_CASE("requests from outside end a run after a cycle") {
    Ring ring(32);
    StringSink out;
    StringSink err;
    for (const unsigned threads : {1u, 2u, 4u}) {
        EngineConfig config;
        config.threads = threads;
        Engine engine(ring.model(), config, 0, 1, out, err);
        std::atomic<std::uint32_t> request{1};
        engine.observation().watch(&request);
        CHECK(engine.run(100) == kRequested);
        CHECK(engine.cycle() == 1);
        request = 0;
        CHECK(engine.run(100) == 0);
        CHECK(engine.cycle() == 100);
    }
}

TEST_CASE("models that this runtime cannot run are refused") {
    Ring ring(4);
    ring.model();
    CHECK(whyNotRunnable(ring.raw) == nullptr);
    ring.planeAt(0).group = 1;
    CHECK(simulate(ring.raw, {"--cycles", "1"}).status == 70);
    ring.planeAt(0).group = kOnlyGroup;
    ring.raw.version = kModelVersion + 1;
    CHECK(simulate(ring.raw, {"--cycles", "1"}).status == 70);
}
