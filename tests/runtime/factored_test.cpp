#include "lab/factored.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "schedule/choices.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;
using Json = nlohmann::json;

namespace {

/// A second of sequential work in `cycles` cycles on 4 threads, and what is lost, in seconds of all
/// threads.
Factored lossy(double overhead, double idle, double inflation, std::uint64_t cycles) {
    const auto always = [](double seconds) {
        return Factored::Spread{seconds, seconds, seconds, seconds};
    };
    Factored times;
    times.threads = times.processors = 4;
    times.repeats = 3;
    times.cycles = cycles;
    times.sequential = always(1);
    times.elided = always(1 + overhead / 2);
    times.one = always(1 + overhead);
    times.idle = always(idle);
    times.parallel = always((1 + overhead + idle + inflation) / 4);
    times.untimed = times.parallel;
    return times;
}

bool says(const Factored& times, const std::string& start, const std::string& advice = "") {
    const std::string text = diagnosis(times);
    INFO(text);
    CHECK(text.find('\n') == std::string::npos);
    return text.starts_with(start) && text.find(advice) != std::string::npos;
}

/// Notes the cycles that it is called for.
class Counter final : public Observer {
public:
    Counter() { wantsDuring = true; }
    std::uint32_t during(std::uint64_t cycle) override {
        if (cycle == 0) ++starts;
        ++cycles;
        last = std::max(last, cycle);
        return 0;
    }
    std::uint32_t between(std::uint64_t) override { return 0; }
    std::uint64_t starts = 0;
    std::uint64_t cycles = 0;
    std::uint64_t last = 0;
};

constexpr std::uint64_t kLong = 1000;               // cycles of a second: 1 ms each
constexpr std::uint64_t kOfMicroseconds = 1000000;  // 1 us each

}  // namespace

TEST_CASE("factored: the diagnosis names the largest loss") {
    CHECK(says(lossy(2, 0.5, 0.3, kLong), "scheduling costs most (53 % of all", "larger chunks"));
    CHECK(says(lossy(0.2, 2, 0.3, kLong), "waiting costs most (57 % of all",
               "--orchestrate profile"));
    CHECK(says(lossy(0.2, 2, 0.3, kOfMicroseconds), "waiting costs most (57 % of all",
               "a cycle is short (1.00 us on one thread): try fewer threads"));
    CHECK(says(lossy(0.2, 0.5, 1.3, kLong), "the work itself takes longer in parallel (43 % of all",
               "memory"));
    CHECK(
        says(lossy(0.01, 0.02, 0.01, kLong), "nearly ideal: 3.8 % of all processor time is lost"));
    CHECK(says(lossy(0, 0, -0.1, kLong), "nearly ideal: 0.0 %"));
    Factored alone = lossy(2, 0, 0, kLong);
    alone.threads = 1;
    CHECK(says(alone, "one thread"));
}

TEST_CASE("factored: who had no processor says nothing about the design") {
    Factored times = lossy(0.2, 2, 0.3, kLong);
    times.others = 0.05;
    CHECK(says(times, "waiting costs most"));
    times.others = 1.26;
    CHECK(says(times, "other programs used 1.3 of 4 processors", "measure again"));
    CHECK(Json::parse(toJson(times))["others"] == 1.26);
    times.processors = 8;  // enough for all
    CHECK(says(times, "waiting costs most"));
    times.processors = 1;
    times.others = 0;
    CHECK(says(times, "4 threads on 1 processor wait for each other", "--threads 1"));
    Factored good = lossy(0.01, 0.02, 0.01, kLong);
    good.others = 2;
    CHECK(says(good, "nearly ideal"));
}

TEST_CASE("factored: waiting makes no cycle long") {
    // 1 us of work a cycle; with the waiting a cycle takes 26 us
    CHECK(
        says(lossy(0.1, 100, 2, kOfMicroseconds), "waiting costs most (97 %", "try fewer threads"));
    // 20 us of work on 4 threads are worth a barrier
    CHECK(says(lossy(0.1, 2, 0.1, 50000), "waiting costs most", "--model m3"));
}

TEST_CASE("factored: the curves") {
    // T_s 1, T_elision 1.25, T_1 1.5, I_P 2, F_P 0.5: P T_P is 4
    const Factored times = lossy(0.5, 2, 0.5, kLong);
    CHECK(times.parallel.mean == Approx(1));
    CHECK(times.inflation() == Approx(0.5));
    CHECK(times.linear() == 4);
    CHECK(times.elision() == Approx(4 / 1.25));
    CHECK(times.maximal() == Approx(4 / 1.5));
    CHECK(times.idleSpecific() == Approx(4 / 3.5));
    CHECK(times.inflationSpecific() == Approx(4 / 2.0));
    CHECK(times.actual() == Approx(1));
}

TEST_CASE("factored: one disturbed run moves no figure") {
    Factored times = lossy(0.5, 2, 0.5, kLong);
    times.sequential.mean = times.sequential.highest = 9;
    CHECK(times.maximal() == Approx(4 / 1.5));
    CHECK(times.actual() == Approx(1));
}

TEST_CASE("factored: a difference below 0 is no time") {
    const Factored times = lossy(0.5, 2, -0.25, kLong);
    CHECK(times.inflation() == Approx(-0.25));
    CHECK(toText(times).find(" below the noise\n") != std::string::npos);
}

TEST_CASE("factored: JSON") {
    const Factored times = lossy(0.5, 2, 0.5, kLong);
    const Json json = Json::parse(toJson(times));
    CHECK(json["threads"] == 4);
    CHECK(json["repeats"] == 3);
    CHECK(json["cycles"] == kLong);
    CHECK(json["sequential"] == Json({{"mean", 1}, {"median", 1}, {"min", 1}, {"max", 1}}));
    CHECK(json["elided"]["mean"] == 1.25);
    CHECK(json["one"]["max"] == 1.5);
    CHECK(json["parallel"]["min"] == 1);
    CHECK(json["idle"]["mean"] == 2);
    CHECK(json["untimed"]["mean"] == 1);
    CHECK(json["inflation"] == 0.5);
    CHECK(json["speedup"].size() == 6);
    CHECK(json["speedup"]["idleSpecific"].get<double>() == Approx(4 / 3.5).epsilon(1e-5));
    CHECK(json["speedup"]["actual"] == 1);
    CHECK(json["diagnosis"] == diagnosis(times));
}

TEST_CASE("factored: runs that take no time still give JSON") {
    const Json json = Json::parse(toJson(Factored{}));
    CHECK(json["speedup"]["linear"] == 1);
    CHECK(json["speedup"]["actual"].is_null());
}

TEST_CASE("factored: a text of a line a time") {
    const std::string text = toText(lossy(0.5, 2, 0.5, kLong));
    CHECK(text.find("4 threads, 1000 cycles, 3 runs each\n") == 0);
    CHECK(text.find("maximal 2.67, idle-specific 1.14, inflation-specific 2.00, actual 1.00\n")
          != std::string::npos);
    CHECK(text.ends_with(diagnosis(lossy(0.5, 2, 0.5, kLong)) + "\n"));
}

TEST_CASE("factored: measuring leaves the engine as it was, at cycle 0") {
    Ring ring(64);
    for (const auto& [name, kind] : kModels) {
        for (const unsigned threads : {1u, 2u, 3u}) {
            INFO("model " << static_cast<int>(kind) << ", threads " << threads);
            EngineConfig config;
            config.threads = threads;
            config.scheduling.model = kind;
            config.oversubscribed = threads > 2;
            StringSink out;
            StringSink err;
            Engine engine(ring.model(), config, 0, 1, out, err);
            engine.run(5);
            const Factored times = measureFactored(engine, nullptr, 50, 2);
            CHECK(times.threads == threads);
            CHECK(times.repeats == 2);
            CHECK(times.cycles == 50);
            CHECK(times.sequential.lowest <= times.sequential.mean);
            CHECK(times.sequential.mean <= times.sequential.highest);
            CHECK(times.sequential.lowest <= times.sequential.median);
            CHECK(times.sequential.median <= times.sequential.highest);
            CHECK(times.parallel.lowest > 0);
            CHECK(times.idle.lowest >= 0);
            CHECK(engine.cycle() == 0);
            CHECK(engine.config().threads == threads);
            CHECK(engine.config().scheduling.model == kind);
            CHECK(engine.config().form == Form::Plan);
            CHECK(engine.runner().recording().idleTicks()
                  == std::vector<std::uint64_t>(engine.runner().recording().idleTicks().size(), 0));
            engine.run(7);
            std::uint32_t value = 0;
            __builtin_memcpy(&value, engine.final(0, 3), sizeof value);
            CHECK(value == Ring::expected(64, 3, 7));
        }
    }
}

TEST_CASE("factored: every run is from cycle 0 and as long") {
    Ring ring(16);
    EngineConfig config;
    config.threads = 2;
    StringSink out;
    StringSink err;
    Engine engine(ring.model(), config, 0, 1, out, err);
    Counter counter;
    measureFactored(engine, &counter, 40, 3);
    // one to warm up; sequential, elided, on one thread, in parallel with and without a clock
    CHECK(counter.starts == 1 + 3 * 5);
    CHECK(counter.cycles == counter.starts * 40);
    CHECK(counter.last == 39);
    CHECK(measureFactored(engine, nullptr, 1, 0).repeats == 1);
}

TEST_CASE("factored: nothing is written, and a design may end earlier") {
    MixedPlan plan;
    plan.stopCycle = 23;
    Mixed mixed(plan);
    EngineConfig config;
    config.threads = 2;
    StringSink out;
    StringSink err;
    Engine engine(mixed.model(), config, 0, 1, out, err);
    CHECK(measureFactored(engine, nullptr, 1000, 1).cycles == 24);
    CHECK(out.text.empty());
    CHECK(err.text.empty());
    engine.run(1000);
    CHECK(engine.cycle() == 24);
    CHECK(out.text.find("acc") != std::string::npos);  // traces are heard again
}

TEST_CASE("without a cycle there is nothing to diagnose") {
    CHECK(diagnosis(lossy(0.1, 0.5, 0.2, 0)) == "no cycle was run: nothing to compare");
}
