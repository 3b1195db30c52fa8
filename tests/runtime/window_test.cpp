// What a run tells about its schedule: traces for Perfetto, tables, files of times, adapting plans.

#include "report/window.h"

#include <catch2/catch.hpp>

#include <map>
#include <nlohmann/json.hpp>

#include "lab/adapter.h"
#include "test_models.h"
#include "tuning/trial.h"

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

TEST_CASE("a trace of one thread, of a window after the end, and of one that is too short") {
    Ring ring(40);
    Json trace;
    CHECK(withTrace(ring.model(), {"--cycles", "5", "--threads", "1"}, trace).status == 0);
    CHECK(countsOf(trace).units.size() == 5);
    const std::string path = temporaryPath("none.json");
    const Result after =
        simulate(ring.model(), {"--cycles", "5", "--threads", "1", "--schedule-trace", path,
                                "--schedule-window", "9:3"});
    CHECK(after.status == 0);
    CHECK(after.err.find("no cycle of --schedule-window was run") != std::string::npos);
    CHECK(withTrace(ring.model(), {"--cycles", "5", "--threads", "2", "--schedule-window", "3:100"},
                    trace)
              .status
          == 0);
    CHECK(countsOf(trace).waits.size() == 2);
    const Result unwritable =
        simulate(ring.model(), {"--cycles", "5", "--schedule-trace", "/nonexistent/trace.json"});
    CHECK(unwritable.status == 3);
    CHECK(unwritable.err.find("cannot write '/nonexistent/trace.json'") != std::string::npos);
}

namespace {

void noStep(const Thread&, const Slots&, std::uint32_t, std::uint32_t) {}
void noSteps(const Thread&, const Slots&) {}

/// Works whose instances have all kinds of paths, and the units of one cycle of two threads.
class Named : public ModelBuilder {
public:
    Named() {
        process("cell", noStep, 4, 1, 1, 0, 0, 1);  // cell[0] … cell[3]
        process("reader", noStep, 1, 1, 1, 0, 4, 1);
        process("writer", noStep, 1, 1, 1, 0, 5, 1);
    }
};

Event eventOf(Event::Kind kind, std::uint64_t begin, std::uint64_t end, std::uint32_t work = 0,
              std::uint32_t first = 0, std::uint32_t last = 0) {
    return {begin, end, 7, work, first, last, 0, kind};
}

std::vector<std::string> namesOf(const Json& trace, const std::string& category) {
    std::vector<std::string> names;
    for (const Json& event : trace.at("traceEvents")) {
        if (event.value("cat", "") == category) names.push_back(event.at("name"));
    }
    return names;
}

}  // namespace

TEST_CASE("a schedule trace names instances, reasons of waits, and thefts") {
    Named named;
    ScheduleWindow window;
    window.first = 7;
    window.count = 1;
    window.running = 2;
    using Kind = Event::Kind;
    window.events = {{eventOf(Kind::Unit, 1000, 3000, 0, 0, 3),
                      eventOf(Kind::Unit, 3000, 9000, 1, 0, 1), eventOf(Kind::Wait, 9000, 9100)},
                     {eventOf(Kind::Theft, 1000, 1500, 0, 4, 6),
                      eventOf(Kind::Unit, 1500, 2000, 2, 0, 1), eventOf(Kind::Search, 2000, 2100),
                      eventOf(Kind::Wait, 2100, 9100)}};
    Json trace = Json::parse(traceEvents(named.model(), window));
    CHECK(namesOf(trace, "unit") == std::vector<std::string>{"cell[0 to 2]", "reader", "writer"});
    CHECK(namesOf(trace, "theft") == std::vector<std::string>{"steals 2 chunks from thread 0"});
    CHECK(namesOf(trace, "search") == std::vector<std::string>{"looks for work"});
    CHECK(namesOf(trace, "wait")
          == std::vector<std::string>{"barrier", "waits for thread 0: reader"});
    for (const Json& event : trace.at("traceEvents")) {
        if (event.value("cat", "") == "theft") {
            CHECK(event.at("args") == Json({{"cycle", 7}, {"from", 0}, {"chunks", 2}}));
            CHECK(event.at("dur") == 0.5);
        }
    }
    window.byGroup = true;
    window.events[1][0].last = 5;
    trace = Json::parse(traceEvents(named.model(), window));
    CHECK(namesOf(trace, "theft") == std::vector<std::string>{"steals 1 chunk from group 0"});
}

TEST_CASE("a thread that steals records from whom and how much") {
    ModelBuilder builder;
    builder.process("p", noStep, 64, 1, 1, 0, 0, 1);
    const Model& model = builder.model();
    Scheduling scheduling;
    scheduling.model = ModelKind::Stealing;
    scheduling.chunk.scheme = ChunkScheme::SelfScheduling;
    const Times times;
    const std::vector<bool> isApart;
    const auto schedule = makeSchedule({model, scheduling, {2, 2, 1}, times, isApart});
    const InstanceIndex index(model);
    const Setup setup{&model, 0, 1};
    Worker worker(model, index, setup, 0);
    Recorder recorder(1000);
    worker.recorder = &recorder;
    schedule->runLevel(worker, 0);  // the other thread sleeps: all its chunks are stolen
    std::uint32_t run = 0, thefts = 0, searches = 0;
    for (const Event& event : recorder.events()) {
        if (event.kind == Event::Kind::Unit) run += event.last - event.first;
        if (event.kind == Event::Kind::Search) ++searches;
        if (event.kind != Event::Kind::Theft) continue;
        ++thefts;
        CHECK(event.work == 1);
        CHECK(event.first < event.last);
    }
    CHECK(run == 64);
    CHECK(thefts >= 2);
    CHECK(searches == 1);  // the last one, in vain
}

TEST_CASE("a work gets a thread of its own by the name of a process or of an instance") {
    Mixed mixed({});
    const std::string expected = simulate(mixed.model(), {"--cycles", "20", "--checksum"}).out;
    for (const char* name : {"sink", "sink[3]", "bl*"}) {
        Json trace;
        const Result result = withTrace(
            mixed.model(), {"--cycles", "20", "--checksum", "--threads", "2", "--own-thread", name},
            trace);
        CHECK(result.out == expected);
        const std::string text = trace.dump();
        CHECK(text.find("thread of its own 2") != std::string::npos);
    }
    CHECK(simulate(mixed.model(), {"--cycles", "2", "--own-thread", "sink[37]"}).status == 2);
}

TEST_CASE("the text report tells units, and thefts under m3") {
    Mixed mixed({});
    const Result result =
        simulate(mixed.model(), {"--cycles", "50", "--threads", "2", "--report", "text",
                                 "--oversubscribe", "--orchestrate", "even"});
    for (const char* words : {"process: instances\n", "sink: sink[0 to ", "cycles 0 to 49\n"}) {
        INFO(result.out);
        CHECK(result.out.find(words) != std::string::npos);
    }
    CHECK(result.out.find("thefts") == std::string::npos);
    const Result stealing = simulate(mixed.model(), {"--cycles", "50", "--threads", "2", "--report",
                                                     "text", "--oversubscribe", "--model", "m3"});
    CHECK(stealing.out.find("   thefts/cycle   waits most for\n") != std::string::npos);
}

TEST_CASE("the text report ends with what the compiler did not do") {
    Mixed mixed({});
    Model model = mixed.model();
    const std::vector<std::string> words{"--cycles", "50", "--threads", "1", "--report", "text"};
    CHECK(simulate(model, words).out.find("not done by the compiler") == std::string::npos);
    model.refusals = "100.0 %  the design is not one block: 3 levels, at most 2\n";
    CHECK(simulate(model, words)
              .out.ends_with("\nnot done by the compiler, by the share of a cycle's estimated work "
                             "that it is about:\n"
                             "100.0 %  the design is not one block: 3 levels, at most 2\n"));
}

TEST_CASE("the text report names processes, threads and balance") {
    Mixed mixed({});
    const Result result =
        simulate(mixed.model(), {"--cycles", "50", "--threads", "2", "--report", "text",
                                 "--oversubscribe", "--orchestrate", "profile"});
    CHECK(result.status == 0);
    for (const char* word : {"source", "blend", "sink", "thread   busy", "critical unit, ",
                             "balance: expected ", "measured "}) {
        INFO(result.out);
        CHECK(result.out.find(word) != std::string::npos);
    }
    const Result json =
        simulate(mixed.model(), {"--cycles", "50", "--threads", "2", "--report", "json"});
    const Json report = Json::parse(json.out.substr(json.out.find("{\n")));
    CHECK(report.at("cycles") == 50);
    CHECK(report.at("processSteps") == 50 * 3 * Mixed::kCount);
    CHECK(report.at("design") == "test");
    CHECK(report.at("cover") == Json::array());
}

TEST_CASE("the JSON report counts what was covered") {
    Named named;
    const std::uint32_t counter = named.plane(Home::OneSlot, named.integer(false, 64), 4);
    named.initialise<std::uint64_t>(counter, 3);
    const Cover covers[] = {{"a \"quoted\"\tname", 0, counter}};
    Model model = named.model();
    model.covers = covers;
    model.coverCount = 1;
    const Result result = simulate(model, {"--cycles", "2", "--report", "json"});
    CHECK(result.err.starts_with("cover 'a \"quoted\"\tname' in 'cell[0]': 3 cycles\n"));
    const Json cover = Json::parse(result.out).at("cover");
    REQUIRE(cover.size() == 4);
    CHECK(cover[2]
          == Json({{"name", "a \"quoted\"\tname"}, {"instance", "cell[2]"}, {"cycles", 3}}));
}

TEST_CASE("works are named by the paths of their instances") {
    // two classes: a grid of rows p[r][0 … 2], and single processes
    const InstanceRun runs[] = {
        {0, 0, 3, "p[0][", "]", 0, 0, 1},   {0, 3, 3, "p[1][", "]", 0, 3, 1},
        {0, 6, 3, "p[2][", "]", 0, 6, 1},   {0, 9, 3, "p[3][", "]", 0, 9, 1},
        {0, 12, 3, "p[4][", "]", 0, 12, 1}, {1, 0, 1, "a", nullptr, 0, 15, 1},
        {1, 1, 1, "b", nullptr, 0, 16, 1},  {1, 2, 1, "c.q", nullptr, 0, 17, 1},
        {1, 3, 1, "d", nullptr, 0, 18, 1},  {1, 4, 2, "e[", "].f", 7, 19, 1},
    };
    const Class classes[] = {{"cell", {}, 15, nullptr, 0},
                             {"single", {}, 6, nullptr, 0},
                             {"delay line", {}, 1, nullptr, 0}};
    const WorkPart parts[] = {{0, 0, 15}, {1, 0, 4}, {1, 0, 6}, {0, 3, 1}, {2, 0, 1}};
    const Work works[] = {{"l", {noStep}, 15, 1, 1, 1, 0, parts, 1},
                          {"b", {nullptr, noSteps}, 1, 1, 4, 1, 0, parts + 1, 1},
                          {"b2", {nullptr, noSteps}, 1, 1, 8, 1, 0, parts + 2, 3},
                          {"bare", {noStep}, 3, 1, 1, 1, 0}};
    Model model{};
    model.classes = classes;
    model.classCount = 3;
    model.instances = runs;
    model.instanceRunCount = static_cast<std::uint32_t>(std::size(runs));
    model.work = works;
    model.workCount = 4;
    WorkNames names(model);
    CHECK(names.instances(0, 0, 1) == "p[0][0]");
    CHECK(names.instances(0, 1, 3) == "p[0][1 to 2]");
    CHECK(names.instances(0, 1, 7) == "p[0][1 to 2], p[1][0 to 2], p[2][0]");
    CHECK(names.instances(0, 1, 15) == "p[0][1] … p[4][2]");
    CHECK(names.instances(1, 0, 1) == "a, b, c.q, d");
    CHECK(names.instances(2, 0, 1) == "a, b, c.q and 5 more");
    CHECK(names.instances(3, 0, 3) == "bare");
    CHECK(names.processes(0) == "cell");
    CHECK(names.processes(2) == "single, cell, delay line");
    CHECK(names.matches(0, "cell"));
    CHECK(names.matches(0, "p[3]*"));
    CHECK(names.matches(2, "e[8].f"));
    CHECK_FALSE(names.matches(2, "e[9].f"));
    CHECK_FALSE(names.matches(1, "l"));
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
    Times times{{{{{}, 0, 4, 0}, 1}, {{{}, 4, 8, 0}, 1}}};
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
    // looks that change noStep become rarer: after 1, 2, 4, … windows
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
