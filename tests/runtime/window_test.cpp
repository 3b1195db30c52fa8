// What a run tells about its schedule: traces for Perfetto, tables, files of times, adapting plans.

#include "../../runtime/src/window.h"

#include <catch2/catch.hpp>

#include <map>
#include <nlohmann/json.hpp>

#include "../../runtime/src/adapter.h"
#include "../../runtime/src/trial.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;
using Json = nlohmann::json;

namespace {

Result withTrace(const Model& model, std::vector<std::string> words, Json& trace) {
    const std::string path = temporaryPath("schedule.json");
    words.insert(words.end(), {"--schedule-trace", path, "--oversubscribe"});
    const Result result = simulate(model, words);
    trace = Json::parse(readFile(path));
    return result;
}

/// Events of a thread follow each other and lie inside of none.
void checkNesting(const Json& trace) {
    std::map<int, double> ends;
    for (const Json& event : trace.at("traceEvents")) {
        if (event.at("ph") != "X") continue;
        const int thread = event.at("tid");
        const double start = event.at("ts"), length = event.at("dur");
        CHECK(length >= 0);
        if (ends.count(thread)) CHECK(start >= ends[thread] - 0.001);
        ends[thread] = start + length;
    }
}

/// Process steps and barriers of each cycle, by what the trace says.
struct Counts {
    std::map<std::uint64_t, std::uint64_t> units, waits;
};
Counts countsOf(const Json& trace) {
    Counts counts;
    for (const Json& event : trace.at("traceEvents")) {
        if (event.at("ph") != "X") continue;
        const std::uint64_t cycle = event.at("args").at("cycle");
        if (event.at("cat") == "unit") ++counts.units[cycle];
        if (event.at("cat") == "wait") ++counts.waits[cycle];
    }
    return counts;
}

}  // namespace

TEST_CASE("a schedule trace has each cycle of its window, every thread, every level") {
    Mixed mixed({});
    for (const char* model : {"m1", "m2", "m3"}) {
        Json trace;
        const Result result = withTrace(
            mixed.model(),
            {"--cycles", "30", "--threads", "3", "--model", model, "--schedule-window", "10:7"},
            trace);
        CHECK(result.status == 0);
        checkNesting(trace);
        const Counts counts = countsOf(trace);
        REQUIRE(counts.waits.size() == 7);
        CHECK(counts.waits.begin()->first == 10);
        for (const auto& [cycle, waits] : counts.waits)
            CHECK(waits == 3 * 2);  // three threads, two levels
        CHECK(counts.units.size() == 7);
    }
}

TEST_CASE("a trace of one thread, of a window behind the end, and of one that is too short") {
    Ring ring(40);
    Json trace;
    CHECK(withTrace(ring.model(), {"--cycles", "5", "--threads", "1"}, trace).status == 0);
    CHECK(countsOf(trace).units.size() == 5);
    const std::string path = temporaryPath("none.json");
    const Result behind =
        simulate(ring.model(), {"--cycles", "5", "--threads", "1", "--schedule-trace", path,
                                "--schedule-window", "9:3"});
    CHECK(behind.status == 0);
    CHECK(behind.err.find("no cycle of --schedule-window was run") != std::string::npos);
    CHECK(withTrace(ring.model(), {"--cycles", "5", "--threads", "2", "--schedule-window", "3:100"},
                    trace)
              .status
          == 0);
    CHECK(countsOf(trace).waits.size() == 2);
    const Result unwritable =
        simulate(ring.model(), {"--cycles", "5", "--schedule-trace", "/nonexistent/trace.json"});
    CHECK(unwritable.status == 3);
    CHECK(unwritable.err.find("cannot write /nonexistent/trace.json") != std::string::npos);
}

TEST_CASE("the text report names processes, threads and balance") {
    Mixed mixed({});
    const Result result =
        simulate(mixed.model(), {"--cycles", "50", "--threads", "2", "--report", "text",
                                 "--oversubscribe", "--orchestrate", "profile"});
    CHECK(result.status == 0);
    for (const char* word : {"source", "blend", "sink", "thread   busy",
                             "critical unit: ", "balance: expected ", "measured "}) {
        INFO(result.out);
        CHECK(result.out.find(word) != std::string::npos);
    }
    const Result json =
        simulate(mixed.model(), {"--cycles", "50", "--threads", "2", "--report", "json"});
    const Json report = Json::parse(json.out.substr(json.out.find("{\n")));
    CHECK(report.at("cycles") == 50);
    CHECK(report.at("processSteps") == 50 * 3 * Mixed::kCount);
    CHECK(report.at("design") == "test");
}

TEST_CASE("times are written, read again, and refused for another design") {
    Mixed mixed({});
    const std::string path = temporaryPath("costs.json");
    const std::vector<std::string> words = {
        "--cycles", "20",         "--threads",      "2", "--costs", path, "--orchestrate",
        "profile",  "--checksum", "--oversubscribe"};
    const Result expected = simulate(mixed.model(), {"--cycles", "20", "--checksum"});
    CHECK(simulate(mixed.model(), words).out == expected.out);
    const std::string first = readFile(path);
    CHECK(Json::parse(first).at("levels").size() == 2);
    CHECK(simulate(mixed.model(), words).out == expected.out);
    CHECK(readFile(path) == first);

    mixed.raw.hash = 0x9999;
    const Result other = simulate(mixed.model(), words);
    CHECK(other.status == 2);
    CHECK(other.err.find("times of another design") != std::string::npos);
    mixed.raw.hash = 0x1234;

    for (const char* broken : {"", "[]", "{\"hash\": 3}", "{\"hash\": \"0000000000001234\"}",
                               "{\"hash\": \"0000000000001234\", \"levels\": [[], []]}"}) {
        const std::string file = writeFile("broken.json", broken);
        const Result result = simulate(mixed.model(), {"--cycles", "2", "--threads", "2", "--costs",
                                                       file, "--orchestrate", "profile"});
        INFO(broken);
        CHECK(result.status == 2);
        CHECK(result.err.find("broken.json: ") != std::string::npos);
    }
    Json cut = Json::parse(first);
    for (const auto change : {"first", "last", "work"}) {
        Json wrong = cut;
        wrong["levels"][1][0][change] = 7000;
        const std::string file = writeFile("wrong.json", wrong.dump());
        CHECK(simulate(mixed.model(), {"--cycles", "2", "--threads", "2", "--costs", file,
                                       "--orchestrate", "profile"})
                  .status
              == 2);
    }
}

TEST_CASE("medians of events become the times of pieces") {
    Times times{{{{nullptr, 0, 4, 0}, 1}, {{nullptr, 4, 8, 0}, 1}}};
    const auto unit = [](std::uint32_t first, std::uint64_t length) {
        return Event{100, 100 + length, 0, 0, first, first + 4, 0, Event::Kind::Unit};
    };
    setMedians(times, {{unit(0, 10), unit(0, 1000), unit(0, 12)}}, 2);
    CHECK(times[0][0].cost == 24);
    CHECK(times[0][1].cost == 1);
}

TEST_CASE("a load has moved when the median of windows says so") {
    LoadWatch watch;
    CHECK_FALSE(watch.note(1.0));
    CHECK_FALSE(watch.note(9.0));  // one slow window
    CHECK_FALSE(watch.note(1.0));
    CHECK_FALSE(watch.note(1.0));
    CHECK_FALSE(watch.note(1.5));
    CHECK(watch.note(1.5));
    watch.planChanged();
    CHECK_FALSE(watch.note(1.5));
    CHECK_FALSE(watch.note(1.5));
    CHECK(watch.note(1.5));
    // looks that change nothing become rarer: behind 1, 2, 4, … windows
    watch.planKept();
    CHECK(watch.note(1.5));
    watch.planKept();
    CHECK_FALSE(watch.note(1.5));
    CHECK(watch.note(1.5));
    watch.planKept();
    for (int i = 0; i < 3; ++i)
        CHECK_FALSE(watch.note(1.5));
    CHECK(watch.note(1.5));
    CHECK_FALSE(LoadWatch().note(5));
}

TEST_CASE("what does not go together is said") {
    Ring ring(64);
    const auto error = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"--cycles", "3"});
        const Result result = simulate(ring.model(), words);
        CHECK(result.status == 2);
        return result.err;
    };
    CHECK(error({"--foreman", "--queues", "core"}).find("--queues group") != std::string::npos);
    CHECK(error({"--adapt", "5", "--threads", "2"}).find("--orchestrate") != std::string::npos);
    CHECK(error({"--adapt", "5", "--orchestrate", "profile"}).find("--threads N")
          != std::string::npos);
    CHECK(error({"--costs", "x.json"}).find("--orchestrate") != std::string::npos);
    CHECK(error({"--report", "factored"}).find("--threads N") != std::string::npos);
    CHECK(error({"--own-thread", "nobody"}).find("matches no process") != std::string::npos);
    ring.raw.flags |= kHasEffects;
    CHECK(error({"--report", "factored", "--threads", "2"}).find("several times")
          != std::string::npos);
}
