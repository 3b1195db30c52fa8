// The command line with --ranks: what one process shows, on any number of ranks.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <span>

#include "cli/mpi_library.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

Result onRanks(const Model& model, std::vector<std::string> arguments, unsigned ranks,
               unsigned threads, const char* kind) {
    const std::vector<std::string> plan{
        "--ranks", std::to_string(ranks), "--oversubscribe",      "--model",
        kind,      "--threads",           std::to_string(threads)};
    arguments.insert(arguments.end(), plan.begin(), plan.end());
    return simulate(model, arguments);
}

class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
    ~Variable() { unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
};

/// The same on ranks × threads × models as in one process.
void checkAll(const Model& model, const std::vector<std::string>& arguments, int status) {
    const Result wanted = simulate(model, arguments);
    CHECK(wanted.status == status);
    for (const unsigned ranks : {1u, 2u, 3u, 8u}) {
        for (const unsigned threads : {1u, 2u}) {
            for (const char* kind : {"m1", "m2", "m3"}) {
                INFO(ranks << " ranks, " << threads << " threads, " << kind);
                const Result got = onRanks(model, arguments, ranks, threads, kind);
                CHECK(got.out == wanted.out);
                CHECK(got.err == wanted.err);
                CHECK(got.status == wanted.status);
            }
        }
    }
}

}  // namespace

TEST_CASE("ranks print, stop and fail like one process", "[ranks]") {
    MixedPlan plan;
    checkAll(Mixed(plan).raw,
             {"--cycles", "20", "--checksum", "--print", "sink[36].sum", "--print", "mix[17].v"},
             0);
    plan.stopCycle = 11;
    checkAll(Mixed(plan).raw, {"--checksum"}, 5);
    plan.failCycle = 11;
    checkAll(Mixed(plan).raw, {"--checksum", "--print", "source[20].acc"}, 1);
}

TEST_CASE("ranks that run ahead print, stop and fail like one process", "[ranks]") {
    // 2, 8 and 1,024 cycles, so that something happens at the start, amid and at the end of them
    for (const char* log : {"1", "3", "10"}) {
        const Variable ahead("SME_RANKS_AHEAD", log);
        MixedPlan plan;
        checkAll(Mixed(plan).raw, {"--cycles", "21", "--checksum", "--print", "sink[36].sum"}, 0);
        for (const std::uint64_t cycle : {11u, 15u, 16u}) {
            plan = {};
            plan.stopCycle = cycle;
            checkAll(Mixed(plan).raw, {"--checksum"}, 5);
            plan = {};
            plan.failCycle = cycle;
            checkAll(Mixed(plan).raw, {"--checksum", "--print", "source[20].acc"}, 1);
        }
    }
}

TEST_CASE("ranks that run ahead trace and compare like one process", "[ranks]") {
    const std::string wantedPath = temporaryPath("whole.csv"), path = temporaryPath("ahead.csv");
    const std::string wantedWaves = temporaryPath("whole.vcd"), waves = temporaryPath("ahead.vcd");
    MixedPlan plans[4];
    plans[1].stopCycle = 15;
    plans[2].failCycle = 16;
    for (MixedPlan& plan : std::span(plans, 3))
        plan.trace = false;
    for (const MixedPlan& plan : plans) {
        const Mixed mixed(plan);
        const auto arguments = [](const std::string& csv, const std::string& vcd) {
            return std::vector<std::string>{"--cycles", "40", "--checksum", "--trace-all",
                                            "--trace",  csv,  "--trace",    vcd};
        };
        const Result wanted = simulate(mixed.raw, arguments(wantedPath, wantedWaves));
        const std::string expected = readFile(wantedPath);
        for (const char* log : {"1", "3", "10"}) {
            const Variable ahead("SME_RANKS_AHEAD", log);
            for (const unsigned ranks : {2u, 3u}) {
                INFO(log << ", " << ranks << " ranks");
                auto words = arguments(path, waves);
                words.insert(words.end(), {"--expect", wantedPath});
                const Result got = onRanks(mixed.raw, words, ranks, ranks - 1, "m2");
                CHECK(got.out == wanted.out);
                CHECK(got.err == wanted.err);
                CHECK(got.status == wanted.status);
                CHECK(readFile(path) == expected);
                CHECK(readFile(waves) == readFile(wantedWaves));
            }
        }
    }
}

TEST_CASE("ranks that run ahead tell differences like one process", "[ranks]") {
    MixedPlan plan;
    plan.trace = false;
    const Mixed mixed(plan);
    std::string rows = "cycle,sink[36].sum\n";
    for (unsigned cycle = 0; cycle < 25; ++cycle)
        rows += std::to_string(cycle) + ",7\n";
    const std::string path = writeFile("wrong.csv", rows);
    const Result wanted = simulate(mixed.raw, {"--cycles", "25", "--expect", path});
    CHECK(wanted.status == 1);
    CHECK(wanted.err.find(" differences in all") != std::string::npos);
    for (const char* log : {"1", "4"}) {
        const Variable ahead("SME_RANKS_AHEAD", log);
        const Result got = onRanks(mixed.raw, {"--cycles", "25", "--expect", path}, 3, 1, "m2");
        CHECK(got.err == wanted.err);
        CHECK(got.status == wanted.status);
    }
}

TEST_CASE("ranks run ahead where something is traced and compared", "[ranks]") {
    const Variable ahead("SME_RANKS_AHEAD", "3");
    MixedPlan plan;
    plan.trace = false;
    plan.failCycle = 41;
    const Result got = onRanks(
        Mixed(plan).raw,
        {"--report", "text", "--trace-all", "--trace", temporaryPath("reported.csv")}, 2, 1, "m2");
    INFO(got.out);
    CHECK(got.out.find("40 cycles ran ahead of the answer") != std::string::npos);
}

TEST_CASE("ranks say how far they ran ahead", "[ranks]") {
    const Variable ahead("SME_RANKS_AHEAD", "3");
    MixedPlan plan;
    plan.failCycle = 21;
    const Result got = onRanks(Mixed(plan).raw, {"--report", "text"}, 2, 1, "m2");
    INFO(got.out);
    CHECK(got.status == 1);
    const bool isTold = got.out.find(" cycles ran ahead of the answer whether anything happened; ")
                        != std::string::npos;
    CHECK(isTold);
}

TEST_CASE("ranks go on from the shards of any other number of ranks", "[ranks]") {
    const Mixed mixed({});
    const std::vector<std::string> rest{"--cycles", "30", "--checksum", "--print", "sink[36].sum"};
    const Result wanted = simulate(mixed.raw, rest);
    const std::string path = temporaryPath("ranks.state");
    for (const unsigned before : {2u, 3u, 8u}) {
        const Result kept =
            onRanks(mixed.raw, {"--cycles", "17", "--checkpoint", path + ":5"}, before, 2, "m2");
        CHECK(kept.status == 0);
        CHECK(readFile(path).starts_with("smeparts"));
        for (const unsigned after : {1u, 2u, 5u}) {
            INFO(after << " ranks after " << before);
            std::vector<std::string> arguments = rest;
            arguments.insert(arguments.end(), {"--resume", path});
            const Result got = onRanks(mixed.raw, arguments, after, 2, "m3");
            CHECK(kept.out + got.out == wanted.out);
            CHECK(got.status == wanted.status);
        }
    }
    // one file takes the place of shards
    CHECK(simulate(mixed.raw, {"--cycles", "20", "--resume", path, "--checkpoint", path}).status
          == 0);
    CHECK(!readFile(path).starts_with("smeparts"));
}

TEST_CASE("rank 0 traces what all ranks write", "[ranks]") {
    const Mixed mixed({});
    const std::string wantedPath = temporaryPath("wanted.csv"), path = temporaryPath("got.csv");
    const auto arguments = [](const std::string& to) {
        return std::vector<std::string>{"--cycles", "25", "--trace-all", "--trace", to};
    };
    simulate(mixed.raw, arguments(wantedPath));
    const std::string wanted = readFile(wantedPath);
    CHECK(wanted.find("sink[36].sum") != std::string::npos);
    for (const unsigned ranks : {2u, 5u}) {
        for (const unsigned threads : {1u, 2u}) {
            CHECK(onRanks(mixed.raw, arguments(path), ranks, threads, "m2").status == 0);
            CHECK(readFile(path) == wanted);
        }
    }
}

TEST_CASE("ranks read inputs, and rank 0 compares", "[ranks]") {
    const std::string input =
        writeFile("in.csv", "cycle,cmd.v,cmd.go\n0,5,true\n1,6,true\n2,7,false\n3,8,true\n");
    Inputs inputs;
    checkAll(inputs.model(), {"--input", input, "--checksum", "--print", "res.sum"}, 0);
    const Mixed mixed({});
    const std::string trace = temporaryPath("rows.csv");
    simulate(mixed.raw, {"--cycles", "9", "--trace-all", "--trace", trace});
    checkAll(mixed.raw, {"--expect", trace}, 0);
    std::string rows = readFile(trace);
    const std::size_t last = rows.find_last_of("0123456789");
    rows[last] = rows[last] == '9' ? '8' : '9';
    checkAll(mixed.raw, {"--expect", writeFile("wrong.csv", rows)}, 1);
}

TEST_CASE("what does not go with ranks is named", "[ranks]") {
    const Mixed mixed({});
    const auto refused = [&](std::vector<std::string> arguments, const std::string& what) {
        arguments.insert(arguments.end(), {"--cycles", "5", "--ranks", "2"});
        const Result result = simulate(mixed.raw, arguments);
        CHECK(result.status == 2);
        CHECK(result.out.empty());
        CHECK(result.err == "sim: error: " + what + " does not go with several ranks (--ranks)\n");
    };
    refused({"--threads", "2", "--report", "factored"}, "--report factored");
    refused({"--schedule-trace", temporaryPath("schedule.json")}, "--schedule-trace");
    refused({"--orchestrate", "profile", "--threads", "2"}, "a plan that follows measured times");
    refused({"--own-thread", "sink"}, "--own-thread");
    refused({"--input", "-"}, "--input from standard input");
    Model serial = mixed.raw;
    serial.flags |= kHasSerial;
    CHECK(simulate(serial, {"--cycles", "5", "--ranks", "2"}).status == 2);
    CHECK(simulate(mixed.raw, {"--ranks", "0"}).status == 2);
    CHECK(simulate(mixed.raw, {"--ranks", "many"}).err
          == "sim: error: --ranks takes a number from 1 to 1024 or mpi, not 'many'\n");
}

TEST_CASE("errors before the run are said once", "[ranks]") {
    const Mixed mixed({});
    const Result result =
        simulate(mixed.raw, {"--cycles", "5", "--ranks", "3", "--input", "nowhere.csv"});
    CHECK(result.status == simulate(mixed.raw, {"--cycles", "5", "--input", "nowhere.csv"}).status);
    CHECK(result.err.find("nowhere.csv") == result.err.rfind("nowhere.csv"));
    CHECK(simulate(mixed.raw, {"--cycles", "5", "--ranks", "3", "--print", "no"}).status == 2);
}

TEST_CASE("a report has a line for each rank", "[ranks]") {
    Ring ring(64);
    const Result result = simulate(
        ring.model(), {"--cycles", "50", "--ranks", "4", "--report", "text", "--threads", "1"});
    CHECK(result.status == 0);
    CHECK(
        result.out.find(
            "rank   processes      cost  bytes a cycle  neighbours  waiting  hidden       memory\n"
            "   0          16     25.0%              4           2")
        == 0);
    CHECK(std::count(result.out.begin(), result.out.end(), '\n') == 5);
}

TEST_CASE("time ends all ranks", "[ranks]") {
    Ring ring(64);
    const Result result = simulate(ring.model(), {"--timeout", "0.05", "--ranks", "3"});
    CHECK(result.status == 4);
    CHECK(result.err.find("time limit reached after cycle ") != std::string::npos);
}

TEST_CASE("launchers are known by what they set", "[ranks]") {
    CHECK(findLauncher().size == 1);
    {
        const Variable batch("SLURM_NTASKS", "8"), procs("SLURM_PROCID", "3");
        CHECK(findLauncher().library == nullptr);
    }
    {
        const Variable size("OMPI_COMM_WORLD_SIZE", "4"), rank("OMPI_COMM_WORLD_RANK", "2");
        const Launcher launcher = findLauncher();
        CHECK_FALSE(launcher.rankHere);
        CHECK(launcher.library == std::string("libsme_mpi_openmpi.so"));
        CHECK((launcher.rank == 2 && launcher.size == 4 && launcher.sizeHere == 4));
        Ring ring(8);
        const Result result = simulate(ring.model(), {"--cycles", "x"});
        CHECK(result.status == 2);  // it cannot tell rank 0
        CHECK(result.err.starts_with("sim: error: rank 2: --cycles"));
    }
    {
        const Variable tasks("SLURM_STEP_NUM_TASKS", "9");
        const Variable nodes("SLURM_STEP_TASKS_PER_NODE", "2(x3),3"), node("SLURM_NODEID", "3");
        CHECK(findLauncher().library == nullptr);
        {
            const Variable rank("PMIX_RANK", "7");
            const Launcher launcher = findLauncher();
            CHECK(launcher.library == std::string("libsme_mpi_openmpi.so"));
            CHECK((launcher.rank == 7 && launcher.size == 9 && launcher.sizeHere == 3));
        }
        const Variable size("PMI_SIZE", "9"), rank("PMI_RANK", "1"), other("SLURM_NODEID", "2");
        const Variable place("SLURM_LOCALID", "1");
        const Launcher launcher = findLauncher();
        CHECK(launcher.rankHere == 1u);
        CHECK(launcher.library == std::string("libsme_mpi_mpich.so"));
        CHECK((launcher.rank == 1 && launcher.size == 9 && launcher.sizeHere == 2));
    }
    const Variable size("PMI_SIZE", "3"), rank("PMI_RANK", "0"), here("MPI_LOCALNRANKS", "2");
    const Variable place("MPI_LOCALRANKID", "1");
    const Launcher launcher = findLauncher();
    CHECK(launcher.rankHere == 1u);
    CHECK(launcher.library == std::string("libsme_mpi_mpich.so"));
    CHECK((launcher.rank == 0 && launcher.size == 3 && launcher.sizeHere == 2));
    Ring ring(8);
    const Result result = simulate(ring.model(), {"--cycles", "5", "--ranks", "2"});
    CHECK(result.status == 2);
    CHECK(result.err
          == "sim: error: --ranks 2 is for one process, but a launcher of MPICH started 3; "
             "leave it out\n");
}
