#include "cli/options.h"

#include <catch2/catch.hpp>
#include <sme/options.h>

#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

std::string errorOf(const std::vector<std::string>& arguments) {
    Options options;
    std::string error;
    return parseOptions(arguments, options, error) ? "" : error;
}

}  // namespace

TEST_CASE("options: both forms of values") {
    Options options;
    std::string error;
    REQUIRE(parseOptions({"--cycles=1_000",
                          "--seed",
                          "7",
                          "--threads",
                          "auto",
                          "--model=m1",
                          "--chunk=ss",
                          "--wait",
                          "block",
                          "--timeout",
                          "0.5",
                          "--loop-limit",
                          "12",
                          "--trace=a.csv",
                          "--trace",
                          "b.csv",
                          "--print",
                          "x=y",
                          "--trace-filter",
                          "p[*]",
                          "--trace-start=3",
                          "--trace-stop=9",
                          "--trace-elements=4",
                          "--no-trace-clock",
                          "--clock-period=4",
                          "--quiet"},
                         options, error));
    CHECK(options.cycles == 1000u);
    CHECK(options.seed == 7);
    CHECK(options.threads == 0);
    CHECK(options.scheduling.model == ModelKind::WorkList);
    CHECK(options.scheduling.chunk.scheme == ChunkScheme::SelfScheduling);
    CHECK(options.scheduling.wait == WaitMode::Block);
    CHECK(options.timeout == 0.5);
    CHECK(options.loopLimit == 12);
    CHECK(options.traces == std::vector<std::string>{"a.csv", "b.csv"});
    CHECK(options.prints == std::vector<std::string>{"x=y"});
    CHECK(options.selection.start == 3);
    CHECK(options.selection.stop == 9);
    CHECK(options.selection.elements == 4);
    CHECK_FALSE(options.selection.time.showsClock);
    CHECK(options.selection.time.period == 4);
    CHECK(options.quiet);
}

TEST_CASE("options: what is wrong is said") {
    CHECK(errorOf({"--cylces", "3"}) == "unknown option '--cylces'; did you mean '--cycles'?");
    CHECK(errorOf({"--zzzzzz"}) == "unknown option '--zzzzzz'; --help lists them all");
    CHECK(errorOf({"file.csv"}) == "unexpected argument 'file.csv'; options start with '--'");
    CHECK(errorOf({"--cycles"}) == "--cycles needs a value: --cycles N");
    CHECK(errorOf({"--cycles", "-3"}) == "--cycles takes a whole number, not '-3'");
    CHECK(errorOf({"--cycles", "99999999999999999999"})
          == "--cycles takes a whole number, not '99999999999999999999'");
    CHECK(errorOf({"--cycles="}) == "--cycles takes a whole number, not ''");
    CHECK(errorOf({"--quiet=yes"}) == "--quiet takes no value");
    CHECK(errorOf({"--threads", "0"})
          == "--threads takes a number from 1 to 1024 or auto, not '0'");
    CHECK(errorOf({"--threads", "x"})
          == "--threads takes a number from 1 to 1024 or auto, not 'x'");
    CHECK(errorOf({"--model", "m4"}) == "--model takes one of m1, m2, m3, not 'm4'");
    CHECK(errorOf({"--chunk", "gss:4"}) == "--chunk takes no parameter after gss, not 'gss:4'");
    CHECK(errorOf({"--chunk", "fiss:1"})
          == "--chunk takes a number of batches from 2 to 1000 after fiss:, not 'fiss:1'");
    CHECK(errorOf({"--chunk", "pls:2"})
          == "--chunk takes a share above 0, up to 1, after pls:, not 'pls:2'");
    CHECK(errorOf({"--orchestrate", "even:3"})
          == "--orchestrate takes no parameter after even, not 'even:3'");
    CHECK(errorOf({"--orchestrate", "montecarlo:0"})
          == "--orchestrate takes a number from 1 to 1000000 after montecarlo:, not "
             "'montecarlo:0'");
    CHECK(errorOf({"--report", "text,all"})
          == "--report takes text, json, factored or ranks:N, or several with commas, not "
             "'text,all'");
    CHECK(errorOf({"--report", "factored:0"})
          == "--report takes a number of runs from 1 to 1000 after factored:, not 'factored:0'");
    CHECK(errorOf({"--schedule-window", "5:0"})
          == "--schedule-window takes START:COUNT in cycles, not '5:0'");
    CHECK(errorOf({"--min-chunk", "0"}) == "--min-chunk takes a number from 1 on, not '0'");
    CHECK(errorOf({"--adapt", "0"}) == "--adapt takes a number from 1 on, not '0'");
    CHECK(errorOf({"--groups", "0"}) == "--groups takes a number from 1 to 1024, not '0'");
    CHECK(errorOf({"--clock-period", "1"})
          == "--clock-period takes a number from 2 to 1000000, not '1'");
    CHECK(errorOf({"--trace", "a.txt"}) == "--trace takes " + traceNames() + ", not 'a.txt'");
    CHECK(traceNames().starts_with("a file name that ends in .csv"));
    CHECK(
        errorOf({"--trace-start", "9", "--trace-stop", "9"})
        == "--trace-stop 9 leaves nothing to trace from cycle 9 on; it is the first cycle that is "
           "not traced");
    CHECK(errorOf({"--trace-stop", "0"}) != "");
    CHECK(errorOf({"--trace-start", "8", "--trace-stop", "9"}).empty());
    CHECK(errorOf({"--timeout", "0"}) == "--timeout takes seconds, more than 0, not '0'");
    CHECK(errorOf({"--timeout", "nan"}) == "--timeout takes seconds, more than 0, not 'nan'");
    CHECK(errorOf({"--"}) != "");
}

TEST_CASE("options: a simulator's command line") {
    Ring ring(4);
    const Model& model = ring.model();
    SECTION("wrong usage is status 2, on stderr") {
        const Result result = simulate(model, {"--cylces", "3"});
        CHECK(result.status == 2);
        CHECK(result.out.empty());
        CHECK(result.err == "sim: error: unknown option '--cylces'; did you mean '--cycles'?\n");
    }
    SECTION("help and version go to stdout") {
        const Result help = simulate(model, {"--help"});
        CHECK(help.status == 0);
        CHECK(help.out.starts_with("usage: sim [options]\n\nThe run:\n  --cycles N"));
        CHECK(help.err.empty());
        CHECK(simulate(model, {"-h"}).out == help.out);
        CHECK(simulate(model, {"--version"}).out
              == "test (design 0000000000001234), simulator made by smec 1.2.3, model version "
                     + std::to_string(kModelVersion) + "\n");
    }
    SECTION("a processor that lacks what the simulator was compiled for") {
        Model other = model;
        other.processor = "sme-processor:";
        CHECK(simulate(other, {"--cycles", "1"}).status == 0);
        other.processor = "sme-processor: warp9 warp10";
        const Result result = simulate(other, {"--cycles", "1"});
        CHECK(result.status == 3);
        CHECK(result.err
              == "sim: error: this machine's processor has no 'warp9', which the compiler was "
                 "allowed to use; compile for it with --march generic, or here\n");
        CHECK(result.out.empty());
        CHECK(simulate(other, {"--help"}).status == 3);
    }
    SECTION("a design without an end needs --cycles") {
        const Result result = simulate(model, {});
        CHECK(result.status == 2);
        CHECK(result.err.find("--cycles N") != std::string::npos);
    }
    SECTION("the summary") {
        const Result result =
            simulate(model, {"--cycles", "10", "--threads", "2", "--model", "m1"}, true);
        CHECK(result.status == 0);
        for (const char* part :
             {"cycles          10\n", "wall time", "process steps/s", "threads         2 of ",
              "(--threads 2", "m1, chunks fac2\n", "peak memory"}) {
            INFO(part);
            CHECK(result.err.find(part) != std::string::npos);
        }
        const Result chosen = simulate(model, {"--cycles", "10"}, true);
        CHECK(chosen.err.find("(auto: ") != std::string::npos);
    }
}

TEST_CASE("scheduling options") {
    Options options;
    std::string error;
    REQUIRE(parseOptions({"--model",
                          "m3",
                          "--chunk",
                          "fiss:4",
                          "--min-chunk",
                          "5",
                          "--queues",
                          "group",
                          "--groups",
                          "2",
                          "--assign",
                          "cyclic",
                          "--prepartition",
                          "--victim",
                          "rndpri",
                          "--steal",
                          "one",
                          "--foreman",
                          "--bind",
                          "scatter",
                          "--numa",
                          "interleave",
                          "--report",
                          "text,json,factored:3",
                          "--schedule-trace",
                          "s.json",
                          "--schedule-window",
                          "7:9",
                          "--orchestrate",
                          "montecarlo:12",
                          "--adapt",
                          "50",
                          "--costs",
                          "c.json",
                          "--own-thread",
                          "uart*"},
                         options, error));
    const Scheduling& scheduling = options.scheduling;
    CHECK(scheduling.model == ModelKind::Stealing);
    CHECK(scheduling.chunk == ChunkRule{ChunkScheme::FixedIncrease, 4, 5});
    CHECK(scheduling.queues == QueueLayout::Group);
    CHECK(scheduling.groups == 2);
    CHECK(scheduling.assign == Assign::Cyclic);
    CHECK(scheduling.prepartition);
    CHECK(scheduling.victim == Victim::RandomPriority);
    CHECK_FALSE(scheduling.stealHalf);
    CHECK(scheduling.foreman);
    CHECK(scheduling.bind == Bind::Scatter);
    CHECK(scheduling.numa == Numa::Interleave);
    CHECK(scheduling.orchestrate == Orchestrate::MonteCarlo);
    CHECK(scheduling.orchestrateParameter == 12);
    CHECK(describe(scheduling) == "m3, chunks fiss, queues group, victims rndpri");
    CHECK(options.adapt == 50);
    CHECK(options.costs == "c.json");
    CHECK(options.ownThreads == std::vector<std::string>{"uart*"});
    CHECK(options.reportText);
    CHECK(options.reportJson);
    CHECK(options.reportFactored == 3);
    CHECK(options.scheduleTrace == "s.json");
    CHECK(options.scheduleWindow->start == 7);
    CHECK(options.scheduleWindow->count == 9);
}

TEST_CASE("what the table offers as choices is understood") {
    std::size_t choices = 0;
    for (const SimulatorOption& option : kSimulatorOptions) {
        std::string_view rest = option.choices;
        while (!rest.empty()) {
            const std::string choice(rest.substr(0, rest.find('|')));
            rest.remove_prefix(std::min(rest.size(), choice.size() + 1));
            ++choices;
            INFO(option.name << " " << choice);
            CHECK(errorOf({std::string(option.name), choice}).empty());
            CHECK_FALSE(errorOf({std::string(option.name), choice + "x"}).empty());
        }
    }
    CHECK(choices > 30);
}

TEST_CASE("options: --help shows every option of the table, and its choices") {
    const std::string help = helpText("sim");
    for (const SimulatorOption& option : kSimulatorOptions)
        CHECK(help.find("  " + std::string(option.name)) != std::string::npos);
    CHECK(help.find("m3: chunks to queues; default block (block, cyclic)\n") != std::string::npos);
    CHECK(help.find("  --model m1|m2|m3") != std::string::npos);
}
