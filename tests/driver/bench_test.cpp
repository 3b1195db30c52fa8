#include "driver/bench/bench.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include <nlohmann/json.hpp>

#include "driver/bench/bench_command.h"
#include "driver/bench/bench_picture.h"
#include "driver/compile/plan_lists.h"
#include "driver/compile/run_options.h"

using namespace smec::driver;

namespace {

std::string threadsOf(const std::string& text) {
    std::vector<unsigned> threads;
    std::string result = parseThreadList(text, threads);
    for (const unsigned n : threads)
        result += "|" + std::to_string(n);
    return result;
}

std::string modelsOf(const std::string& text) {
    std::vector<std::string> models;
    std::string result = parseModelList(text, models);
    for (const std::string& model : models)
        result += "|" + model;
    return result;
}

/// Cycles and tries until the number is good enough, for a design of that speed.
std::pair<std::uint64_t, int> chosen(double secondsPerCycle) {
    CycleChoice choice;
    int tries = 1;
    for (; !choice.isFinal; ++tries)
        choice = nextCycles(choice.cycles, static_cast<double>(choice.cycles) * secondsPerCycle);
    return {choice.cycles, tries};
}

BenchRow row(const char* model, unsigned threads, unsigned running) {
    BenchRow result;
    result.model = model;
    result.threads = threads;
    result.running = running;
    result.cycles = 1000;
    result.stepsPerCycle = 50;
    result.sequential = result.elided = {0.010, 0.009, 0.011, 0.010};
    result.one = {0.0125, 0.012, 0.013, 0.0125};
    result.parallel = {0.008, 0.007, 0.009, 0.008};
    result.idle = {0.001, 0, 0.002, 0.001};
    result.untimed = result.parallel;
    result.inflation = running * 0.008 - 0.001 - 0.0125;
    result.speedups = {1.0 * running,  1.0 * running,  0.8 * running,
                       0.74 * running, 0.67 * running, 1.25};
    result.diagnosis = std::string("about ") + model;
    return result;
}

BenchResult result(std::vector<BenchRow> rows) {
    BenchResult made;
    made.file = "it's.sme";
    made.design = "top";
    made.repeats = 3;
    made.processors = 2;
    made.rows = std::move(rows);
    return made;
}

bool has(const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

constexpr const char* kReport = R"({
  "design": "top",
  "cycles": 10,
  "processSteps": 500,
  "seconds": 0.5,
  "threads": 2,
  "processors": 4,
  "plan": "m1, chunks gss",
  "factored": {"threads": 2, "repeats": 1, "cycles": 10, "sequential": {"mean": 1, "min": 1, "max": 1},
    "elided": {"mean": 1, "min": 1, "max": 1}, "one": {"mean": 2, "min": 2, "max": 2},
    "parallel": {"mean": 2, "min": 1.5, "max": 2.5}, "idle": {"mean": 1, "min": 1, "max": 1},
    "untimed": {"mean": 2, "min": 2, "max": 2}, "inflation": 1, "speedup": {"linear": 2, "elision": 2,
    "maximal": 1, "idleSpecific": 0.67, "inflationSpecific": null, "actual": 0.5}, "diagnosis": "x"}
}
)";

}  // namespace

TEST_CASE("bench: lists of threads") {
    CHECK(threadsOf("1") == "|1");
    CHECK(threadsOf("4,1,2,4") == "|1|2|4");
    CHECK(threadsOf("1024") == "|1024");
    CHECK(threadsOf("").empty());
    for (const char* bad : {"0", "1025", "1,", ",", "1,x", "-1", "1 2", "2x", "99999999999"})
        CHECK(has(threadsOf(bad), "--threads takes numbers from 1 to 1024"));
}

TEST_CASE("bench: lists of models") {
    CHECK(modelsOf("m2") == "|m2");
    CHECK(modelsOf("m3,m1,m3") == "|m3|m1");
    for (const char* bad : {"", "m4", "m1,", "m1 m2", "M1"})
        CHECK(has(modelsOf(bad), "--models takes m1, m2 and m3"));
}

TEST_CASE("bench: powers of two up to the processors") {
    CHECK(defaultThreads(1) == std::vector<unsigned>{1});
    CHECK(defaultThreads(2) == std::vector<unsigned>{1, 2});
    CHECK(defaultThreads(6) == std::vector<unsigned>{1, 2, 4, 6});
    CHECK(defaultThreads(8) == std::vector<unsigned>{1, 2, 4, 8});
    CHECK(defaultThreads(5000).back() == 1024);
}

TEST_CASE("bench: about 0.3 seconds' worth of cycles") {
    for (const double seconds : {1e-9, 3e-8, 1e-6, 1e-4, 1e-2}) {
        const auto [cycles, tries] = chosen(seconds);
        INFO(seconds << ": " << cycles << " after " << tries);
        CHECK(static_cast<double>(cycles) * seconds > 0.28);
        CHECK(static_cast<double>(cycles) * seconds < 0.32);
        CHECK(tries < 12);
    }
    CHECK(chosen(1).first == 1);
    CHECK(chosen(3e-8).first == 10000000);
    CHECK(nextCycles(100, 0).cycles == 1600);
    CHECK(nextCycles(100, 0.019).cycles == 200);
    CHECK(nextCycles(1000, 10).cycles == 30);
}

TEST_CASE("bench: fewer cycles where threads are slow") {
    CHECK(boundedCycles(1600, 100, 0.02) == 1600);
    CHECK(boundedCycles(1600, 100, 0.3) == 330);
    CHECK(boundedCycles(1600, 100, 200) == 1);
    CHECK(boundedCycles(1600, 100, 0) == 1600);
}

TEST_CASE("bench: the report is the last thing printed") {
    const auto report = readReport(std::string("{\n  \"design\": a trace\n") + kReport);
    REQUIRE(report);
    CHECK(report->design == "top");
    CHECK(report->cycles == 10);
    CHECK(report->seconds == 0.5);
    CHECK(report->processors == 4);
    REQUIRE(report->row);
    CHECK(report->row->running == 2);
    CHECK(report->row->stepsPerCycle == 50);
    CHECK(report->row->parallel.highest == 2.5);
    CHECK(report->row->speedup(Curve::Maximal) == 1);
    CHECK(std::isnan(report->row->speedup(Curve::InflationSpecific)));
    CHECK(report->row->plan == "m1, chunks gss");
    CHECK(report->row->nsPerStep() == Approx(4e6));
    CHECK(report->row->stepsPerSecond() == Approx(250));

    const std::string plain =
        "{\n  \"design\": \"t\", \"cycles\": 0, \"seconds\": 0.1, \"processors\": 1}";
    REQUIRE(readReport(plain));
    CHECK_FALSE(readReport(plain)->row);
    for (const char* bad : {"", "nothing", "{\n  \"design\": \"t\"", "{\n  \"design\": 5}",
                            "{\n  \"design\": \"t\"} more"})
        CHECK_FALSE(readReport(bad));
}

TEST_CASE("bench: the table") {
    const BenchResult twice = result({row("m1", 1, 1), row("m1", 4, 2), row("m3", 2, 2)});
    const std::string text = benchTable(twice);
    CHECK(text.starts_with(
        "it's.sme: 1000 cycles, runs of each kind: 3, processors: 2; times in ms\n"));
    CHECK(
        has(text, "\nm1     4 (2)  10.000     10.000  12.500  8.000  7.000..9.000  1.000   2.500"));
    CHECK(has(
        text,
        " 2.000    2.000    1.600     1.480       1.340   1.250  1.111..1.429  160.00  6.25 M\n"));
    CHECK(has(text, "\nm1 on 4: about m1\nm3 on 2: about m3\n"));
    CHECK(has(text, "note: P (n): n threads run"));
    CHECK_FALSE(has(text, "less than 1 ms"));

    BenchRow tiny = row("m2", 1, 1);
    tiny.sequential.median = 5e-5;
    const std::string small = benchTable(result({tiny}));
    CHECK(has(small, "times in us"));
    CHECK(has(small, "\nm2     1  50.000  10000.000"));
    CHECK(has(small, "less than 1 ms"));
    CHECK_FALSE(has(small, "P (n)"));
}

TEST_CASE("bench: how far runs lie apart") {
    const BenchRow two = row("m1", 2, 2);
    CHECK(two.range(Curve::Linear).low == Approx(1.8));
    CHECK(two.range(Curve::Linear).high == Approx(2.2));
    CHECK(two.range(Curve::Maximal).high == Approx(2 * 10 / 12.0));
    CHECK(two.range(Curve::IdleSpecific).low == Approx(2 * 10 / 15.0));
    CHECK(two.range(Curve::InflationSpecific).high == Approx(2 * 10 / 12.0));
    CHECK(two.range(Curve::Actual).low == Approx(10 / 9.0));
    CHECK(has(benchTable(result({two})), "note: sequential runs differ by up to 20 %"));
    BenchRow calm = two;
    calm.sequential = {0.010, 0.0099, 0.0101, 0.010};
    CHECK_FALSE(has(benchTable(result({calm})), "sequential runs differ"));
    BenchResult once = result({calm});
    once.repeats = 1;
    CHECK(has(benchTable(once), "note: one run of each kind tells nothing"));
    CHECK_FALSE(has(benchTable(once), "7.000..9.000"));
}

TEST_CASE("bench: what is below the noise has no share") {
    BenchRow odd = row("m1", 2, 2);
    odd.inflation = -0.001;
    const BenchResult one = result({odd});
    CHECK(has(benchTable(one), "  <noise  "));
    CHECK(has(benchTable(one), "note: <noise: less than the times differ"));
    CHECK(has(pictureScript(one), "'work inflation below noise, 22 %'"));
    CHECK_FALSE(has(pictureScript(one), "inflation -"));
    const auto json = nlohmann::json::parse(benchJson(one))["results"][0];
    CHECK(json["lost"]["inflation"]["share"].is_null());
    CHECK(json["lost"]["inflation"]["noise"].get<double>() == Approx(0.0035 / 0.016));
    CHECK(json["lost"]["idle"]["share"].get<double>() == Approx(1 / 16.0));
    CHECK(json["range"]["actual"][1].get<double>() == Approx(10 / 7.0));
}

TEST_CASE("bench: JSON") {
    BenchRow odd = row("m1", 2, 2);
    odd.speedups.back() = NAN;
    const auto json = nlohmann::json::parse(benchJson(result({odd})));
    CHECK(json["format"] == 1);
    CHECK(json["stepsPerCycle"] == 50);
    CHECK(json["results"][0]["inflation"].get<double>() == Approx(0.0025));
    CHECK(json["results"][0]["parallel"]["max"] == 0.009);
    CHECK(json["results"][0]["speedup"]["actual"].is_null());
}

TEST_CASE("bench: the script of the picture") {
    BenchRow odd = row("m2", 1, 1);
    odd.speedups.back() = NAN;
    const std::string script = pictureScript(result({row("m1", 1, 1), row("m1", 2, 2), odd}));
    CHECK(has(script, "set terminal svg size 1680,"));
    CHECK(has(script, "$p0 << EOD\n1 1 1 0.8 0.74 0.67 1.25 0.9 1.1 "));
    CHECK(has(script, "$p1 << EOD\n1 1 1 0.8 0.74 0.67 NaN 0.9 1.1 "));
    CHECK(has(script, "title 'it''s.sme: "));
    CHECK(has(script, "set xtics (1, 2)\nset xlabel 'threads'\n"));
    CHECK(has(script, "title 'sequential runs'"));
    // bars of one row stand beside each other: 1.08 threads wide, 0.7 % of it apart
    CHECK(has(script, "$p0 using ($1-0.01512):10:(0):($11-$10) with vectors"));
    CHECK(has(script, "$p0 using ($1+0):14:"));
    CHECK(has(script, "$p0 using ($1+0.01512):18:"));
    const std::string shared = pictureScript(result({row("m1", 1, 1), row("m1", 4, 2)}));
    CHECK(has(shared, "set xtics (1, '4 (2)' 4)\nset xlabel 'threads (that run at once)'\n"));
    CHECK(has(script, "'scheduling overhead 16 ± 9 %'"));
    CHECK(has(script, "'idle time 6 ± 6 %'"));
    CHECK(has(script, "'work inflation 16 ± 22 %'"));
    CHECK(has(script, "'useful work 63 ± 6 %'"));  // 10 of 16 ms
    // as long as the labels say: 2.5, 1 and 2.5 of 16 ms from the top, then 10
    CHECK(has(script, "graph 1.02, graph 0.84375 to graph 1.045, graph 1 noclip"));
    CHECK(has(script, "graph 1.02, graph 0.78125 to graph 1.045, graph 0.84375 noclip"));
    CHECK(has(script, "graph 1.02, graph 0.625 to graph 1.045, graph 0.78125 noclip"));
    CHECK(has(script, "to graph 1.045, graph 0.625 noclip"));
}

TEST_CASE("bench: labels keep their distance") {
    using Places = std::vector<double>;
    CHECK(spreadLabels({9, 5, 1}, 1, 10) == Places{9, 5, 1});
    CHECK(spreadLabels({5, 5, 5}, 1, 10) == Places{5, 4, 3});
    CHECK(spreadLabels({0, 0, 0}, 1, 10) == Places{2, 1, 0});
    CHECK(spreadLabels({12, 11, 10}, 1, 10) == Places{10, 9, 8});
    CHECK(spreadLabels({3, 8}, 1, 10) == Places{3, 2});
}

TEST_CASE("the table says which options of simulators bench and verify take") {
    const auto takenBy = [](sme::TakenBy taker) {
        std::set<std::string> names;
        for (const RunOption& option : runOptions())
            if (RunArguments{.taker = taker}.takes(option)) names.emplace(option.name);
        return names;
    };
    const auto without = [](const std::set<std::string>& all, const std::set<std::string>& some) {
        std::set<std::string> rest;
        std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                            std::inserter(rest, rest.end()));
        return rest;
    };
    using Names = std::set<std::string>;
    const Names run = takenBy(sme::TakenBy::Run), library = takenBy(sme::TakenBy::Library);
    const Names bench = takenBy(sme::TakenBy::Bench), verify = takenBy(sme::TakenBy::Verify);
    CHECK(run.size() == runOptions().size());
    CHECK(without(bench, verify) == Names{"--expect", "--input", "--memory", "--oversubscribe"});
    CHECK(without(verify, bench) == Names{"--adapt"});
    CHECK(without(library, bench) == Names{"--adapt", "--model", "--threads"});
    CHECK(without(library, verify) == Names{"--model", "--oversubscribe", "--threads"});
    CHECK(without(verify, library).empty());
}

TEST_CASE("bench: options that are passed on and those that are not") {
    std::vector<std::string> ours{"bench",       "--threads", "1,2", "--chunk", "ss",     "x.sme",
                                  "--wait=spin", "--cycles",  "9",   "--",      "--seed", "3"};
    const std::unique_ptr<Command> command = makeBenchCommand();
    RunArguments& passedOn = *command->runArguments();
    splitRunArguments(ours, passedOn);
    CHECK(ours == std::vector<std::string>{"bench", "--threads", "1,2", "x.sme", "--cycles", "9"});
    CHECK(passedOn.words
          == std::vector<std::string>{"--chunk", "ss", "--wait=spin", "--seed", "3"});
    const auto refused = [&](const std::vector<std::string>& words) {
        passedOn.words = words;
        return passedOn.refused();
    };
    CHECK(refused({"--chunk", "ss", "--wait=spin", "--seed", "3"}).empty());
    CHECK(refused({"--seed", "3", "--report=json"}) == "--report");
    CHECK(refused({"--help"}) == "--help");
    CHECK(refused({"--cycles", "3"}) == "--cycles");
}
