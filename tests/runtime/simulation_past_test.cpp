// Going back on the table of C functions: what was set, states of the past, what is evaluated.

#include <sme/simulation.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

const sme_simulation_table& pastApi() { return *sme_compiled_simulations(); }

/// A simulation and all that it says.
class PastRun {
public:
    explicit PastRun(const Model& model, std::vector<sme_option> options = {}) {
        const sme_sinks sinks{&text, append, append};
        char why[200] = "";
        const sme_status status =
            pastApi().create(&model, options.data(), options.size(), &sinks, &it, why, sizeof why);
        INFO(why);
        REQUIRE(status == SME_OK);
    }
    ~PastRun() { pastApi().destroy(it); }
    PastRun(const PastRun&) = delete;
    PastRun& operator=(const PastRun&) = delete;

    template <typename T>
    sme_status set(const char* path, T value) {
        return pastApi().set_path(it, path, &value, sizeof value);
    }
    template <typename T>
    T get(const char* path) {
        T value{};
        CHECK(pastApi().get_path(it, path, &value, sizeof value) == SME_OK);
        return value;
    }
    sme_status step(std::uint64_t cycles) { return pastApi().step(it, cycles, nullptr); }
    sme_status goTo(std::uint64_t cycle) { return pastApi().go_to(it, cycle); }
    std::uint64_t cycle() { return pastApi().cycle(it); }
    std::uint64_t sum() { return pastApi().checksum(it); }
    std::string message() { return pastApi().message(it); }
    std::uint32_t handle(const char* path) {
        std::uint32_t handle = ~0u;
        CHECK(pastApi().find(it, path, &handle) == SME_OK);
        return handle;
    }

    std::string text;
    sme_simulation* it = nullptr;

private:
    static void append(void* user, const char* text, std::size_t length) {
        static_cast<std::string*>(user)->append(text, length);
    }
};

/// Sets inputs in the cycles that are multiples of 3.
void driveOn(PastRun& run, std::uint64_t until) {
    while (run.cycle() < until) {
        const std::uint64_t cycle = run.cycle();
        if (cycle % 3 == 0) CHECK(run.set("cmd.v", static_cast<std::uint8_t>(cycle)) == SME_OK);
        if (cycle % 9 == 0) CHECK(run.set("cmd.go", cycle % 2 == 0) == SME_OK);
        CHECK(run.step(1) == SME_OK);
    }
}

const std::vector<std::vector<sme_option>> kHistories = {
    {},
    {{"snapshots", "off"}},
    {{"snapshots", "1"}, {"snapshot-time", "100"}},
    {{"snapshots", "64"}, {"snapshot-time", "100"}, {"threads", "2"}},
    {{"snapshot-time", "100"}}};

}  // namespace

TEST_CASE("past: every cycle can be gone back to, silently, and on from") {
    Inputs inputs;
    for (const std::vector<sme_option>& options : kHistories) {
        PastRun run(inputs.model(), options);
        std::vector<std::uint64_t> sums;
        std::vector<int> totals;
        while (run.cycle() < 100) {
            sums.push_back(run.sum());
            totals.push_back(run.get<std::uint8_t>("a.t"));
            driveOn(run, run.cycle() + 1);
        }
        const std::string said = run.text;
        const std::uint64_t end = run.sum();
        run.text.clear();
        for (const std::uint64_t cycle : {50u, 17u, 99u, 98u, 1u, 60u, 0u, 31u}) {
            CHECK(run.goTo(cycle) == SME_OK);
            CHECK(run.cycle() == cycle);
            CHECK(run.get<std::uint8_t>("a.t") == totals[cycle]);
            // a cycle that is gone to has what was set before it, too
            if (cycle % 3 != 0) CHECK(run.sum() == sums[cycle]);
            if (cycle % 3 == 0) CHECK(run.get<std::uint8_t>("cmd.v") == cycle);
        }
        CHECK(run.goTo(100) == SME_OK);
        CHECK(run.sum() == end);
        CHECK(run.text.empty());
        CHECK(run.goTo(0) == SME_OK);
        CHECK(run.step(100) == SME_OK);  // a step says what it does, and what was set is set again
        CHECK(run.sum() == end);
        CHECK(run.text == said);
    }
}

TEST_CASE("past: what is set in the past drops what came later") {
    Inputs inputs;
    for (const std::vector<sme_option>& options : kHistories) {
        PastRun run(inputs.model(), options);
        driveOn(run, 40);
        CHECK(run.goTo(20) == SME_OK);
        CHECK(run.set("cmd.v", std::uint8_t{1}) == SME_OK);
        CHECK(run.step(30) == SME_OK);
        CHECK(run.get<std::uint8_t>("cmd.v") == 1);
        PastRun other(inputs.model());
        driveOn(other, 20);
        CHECK(other.set("cmd.v", std::uint8_t{1}) == SME_OK);
        CHECK(other.step(30) == SME_OK);
        CHECK(run.sum() == other.sum());
        CHECK(run.goTo(20) == SME_OK);
        CHECK(run.get<std::uint8_t>("cmd.v") == 1);
        CHECK(run.goTo(19) == SME_OK);
        CHECK(run.get<std::uint8_t>("cmd.v") == 18);
        CHECK(run.goTo(50) == SME_OK);
        CHECK(run.sum() == other.sum());
        // also where it is what it was
        CHECK(run.goTo(10) == SME_OK);
        CHECK(run.set("cmd.v", run.get<std::uint8_t>("cmd.v")) == SME_OK);
        CHECK(run.step(10) == SME_OK);
        CHECK(run.get<std::uint8_t>("cmd.v") == 9);
    }
}

TEST_CASE("past: a stop and failures do not end what runs once more") {
    MixedPlan plan;
    plan.stopCycle = 9;
    plan.failCycle = 12;
    Mixed mixed(plan);
    PastRun run(mixed.model());
    std::uint32_t ended = 0;
    CHECK(pastApi().step(run.it, 30, &ended) == SME_OK);
    CHECK((ended == SME_STOPPED && run.cycle() == 10));
    CHECK(pastApi().go_to(run.it, 30) == SME_OK);  // ahead is a step: it ends, too
    CHECK(run.cycle() == 13);
    CHECK(run.text.find("sink 2") != std::string::npos);
    CHECK(run.step(17) == SME_OK);
    const std::uint64_t end = run.sum();
    run.text.clear();
    CHECK(run.goTo(5) == SME_OK);
    CHECK(run.goTo(30) == SME_OK);
    CHECK((run.cycle() == 30 && run.sum() == end && run.text.empty()));
}

TEST_CASE("past: reset is cycle 0 with a past of its own") {
    Inputs inputs;
    PastRun run(inputs.model(), {{"seed", "7"}});
    const std::uint64_t start = run.sum();
    driveOn(run, 30);
    const std::uint64_t end = run.sum();
    CHECK(pastApi().reset(run.it) == SME_OK);
    CHECK((run.cycle() == 0 && run.sum() == start));
    CHECK(run.get<std::int16_t>("cmd.keep") == -1);
    driveOn(run, 30);
    CHECK(run.sum() == end);
    CHECK(pastApi().reset(run.it) == SME_OK);
    CHECK(run.step(5) == SME_OK);
    CHECK(run.get<std::uint8_t>("cmd.v") == 0);
    CHECK(pastApi().reset(nullptr) == SME_BAD_USE);
}

TEST_CASE("past: it begins with the state of somebody else that was restored") {
    Inputs inputs;
    PastRun run(inputs.model()), before(inputs.model());
    driveOn(before, 30);
    sme_snapshot* kept = nullptr;
    CHECK(pastApi().snapshot(before.it, &kept) == SME_OK);
    const std::uint64_t sum = before.sum();
    driveOn(run, 50);
    CHECK(pastApi().restore(run.it, kept) == SME_OK);
    CHECK(run.sum() == sum);
    pastApi().forget(kept);
    CHECK(run.goTo(29) == SME_BAD_USE);
    CHECK(run.message()
          == "nothing is known of what was before cycle 30, from whose state the run went on");
    driveOn(run, 50);
    const std::uint64_t end = run.sum();
    CHECK(run.goTo(40) == SME_OK);
    CHECK(run.goTo(30) == SME_OK);
    CHECK(run.goTo(50) == SME_OK);
    CHECK(run.sum() == end);
    CHECK(pastApi().save_inputs(run.it, temporaryPath("past.csv").c_str()) == SME_BAD_USE);
    CHECK(run.message()
          == "the run went on from a state of cycle 30, which rows of inputs do not lead to");
    CHECK(sum != end);
}

TEST_CASE("past: a state of the run is a place in it, and what came after it is no more") {
    Inputs inputs;
    for (const char* const states : {"64", "off"}) {
        const std::vector<sme_option> options = {{"snapshots", states}, {"snapshot-time", "100"}};
        PastRun run(inputs.model(), options);
        driveOn(run, 20);
        const std::uint64_t sum20 = run.sum();
        driveOn(run, 30);
        sme_snapshot* kept = nullptr;
        CHECK(pastApi().snapshot(run.it, &kept) == SME_OK);
        const std::uint64_t sum30 = run.sum();
        driveOn(run, 50);
        const std::uint64_t sum50 = run.sum();
        CHECK(pastApi().restore(run.it, kept) == SME_OK);
        CHECK((run.cycle() == 30 && run.sum() == sum30));
        CHECK(run.goTo(20) == SME_OK);
        CHECK(run.sum() == sum20);
        CHECK(run.goTo(30) == SME_OK);
        CHECK(run.sum() == sum30);
        CHECK(pastApi().save_inputs(run.it, temporaryPath("past.csv").c_str()) == SME_OK);
        driveOn(run, 50);
        CHECK(run.sum() == sum50);
        CHECK(run.goTo(10) == SME_OK);
        CHECK(pastApi().restore(run.it, kept) == SME_OK);  // forth
        CHECK((run.cycle() == 30 && run.sum() == sum30));
        CHECK(run.goTo(20) == SME_OK);
        CHECK(run.sum() == sum20);
        CHECK(run.set("cmd.v", std::uint8_t{200}) == SME_OK);  // of another past from here on
        CHECK(run.step(20) == SME_OK);
        CHECK(pastApi().restore(run.it, kept) == SME_OK);
        CHECK(run.sum() == sum30);
        CHECK(run.goTo(20) == SME_BAD_USE);
        pastApi().forget(kept);
    }
}

TEST_CASE("past: inputs become rows that lead a simulator to the same end") {
    Inputs inputs;
    PastRun run(inputs.model());
    driveOn(run, 40);
    const std::uint8_t list[2] = {4, 5};
    CHECK(pastApi().set_path(run.it, "cmd.list", list, 2) == SME_OK);
    CHECK(run.set("cmd.gain", 0.1) == SME_OK);
    CHECK(run.step(3) == SME_OK);
    const std::string path = temporaryPath("inputs.csv");
    CHECK(pastApi().save_inputs(run.it, path.c_str()) == SME_OK);
    const std::string text = readFile(path);
    CHECK(text.starts_with("cycle,cmd.v,cmd.go,cmd.keep,cmd.light,cmd.gain,cmd.list[0],cmd.list[1],"
                           "cmd.pair.x,cmd.pair.y,cmd.digit\n"
                           "0,0,true,-1,RED,0.5,7,7,0,0,0\n"));
    CHECK(text.find("\n42,39,true,-1,RED,0.1,4,5,0,0,0\n") != std::string::npos);
    const Result result = simulate(inputs.model(), {"--input", path});
    CHECK(result.status == 0);
    CHECK(result.out == run.text);

    CHECK(pastApi().save_inputs(run.it, "/nowhere/inputs.csv") == SME_BAD_FILE);
    CHECK(pastApi().save_inputs(run.it, nullptr) == SME_BAD_USE);
    CHECK(run.set("a.t", std::uint8_t{3}) == SME_OK);
    CHECK(pastApi().save_inputs(run.it, path.c_str()) == SME_BAD_USE);
    CHECK(run.message()
          == "before cycle 43 a variable or a clocked field was set, which rows of inputs do not "
             "hold");
    CHECK(run.step(9) == SME_OK);
    const std::uint8_t total = run.get<std::uint8_t>("a.t");
    CHECK(run.goTo(10) == SME_OK);
    CHECK(run.goTo(52) == SME_OK);  // but it is remembered
    CHECK(run.get<std::uint8_t>("a.t") == total);
    CHECK(run.goTo(42) == SME_OK);
    CHECK(run.set("cmd.v", std::uint8_t{3}) == SME_OK);
    CHECK(pastApi().save_inputs(run.it, path.c_str()) == SME_OK);
}

TEST_CASE("past: what is combinational is of the moment of registers") {
    Mixed mixed({});
    PastRun run(mixed.model());
    const auto mixOf = [&] {
        return static_cast<std::uint16_t>(run.get<std::uint32_t>("src[3].v") * 31
                                          + run.get<std::uint32_t>("src[4].v"));
    };
    CHECK(run.get<std::uint16_t>("mix[3].v") == mixOf());
    CHECK(run.step(20) == SME_OK);
    const std::uint64_t sum = run.sum();
    const std::string said = run.text;
    const std::uint64_t epoch = pastApi().epoch(run.it);
    CHECK(run.get<std::uint16_t>("mix[3].v") == mixOf());
    for (int i = 0; i < 3; ++i)
        CHECK(pastApi().eval(run.it) == SME_OK);
    CHECK(pastApi().epoch(run.it) == epoch);
    CHECK(run.get<std::uint16_t>("mix[3].v") == mixOf());
    CHECK((run.sum() == sum && run.text == said && run.cycle() == 20));
    CHECK(run.set("src[3].v", std::uint32_t{0}) == SME_OK);
    CHECK(pastApi().epoch(run.it) != epoch);
    CHECK(run.get<std::uint16_t>("mix[3].v") == mixOf());
    std::uint16_t row = 0;
    const sme_column record{run.handle("mix[3].v"), &row, 2};
    const std::uint16_t read = mixOf();
    CHECK(pastApi().run_block(run.it, 1, nullptr, 0, &record, 1, nullptr, nullptr) == SME_OK);
    CHECK(row == read);
    PastRun other(mixed.model());
    CHECK(other.step(20) == SME_OK);
    CHECK(other.set("src[3].v", std::uint32_t{0}) == SME_OK);
    CHECK(other.step(1) == SME_OK);
    CHECK(run.sum() == other.sum());
    CHECK(run.text == other.text);
    CHECK(run.get<std::uint16_t>("mix[3].v") == mixOf());
    CHECK(run.goTo(4) == SME_OK);
    CHECK(run.get<std::uint16_t>("mix[3].v") == mixOf());
    CHECK(pastApi().reset(run.it) == SME_OK);
    CHECK(run.get<std::uint16_t>("mix[3].v") == mixOf());
}

TEST_CASE("past: planes") {
    Inputs inputs;
    PastRun run(inputs.model());
    sme_plane plane{};
    const std::uint32_t list = run.handle("cmd.list");
    CHECK(pastApi().plane(run.it, list, &plane, sizeof plane) == SME_OK);
    CHECK((plane.count == 2 && plane.stride == 1 && plane.bytes == 1));
    CHECK(plane.epoch == pastApi().epoch(run.it));
    CHECK(static_cast<const std::uint8_t*>(plane.first)[1] == 7);
    CHECK(run.set("cmd.list[1]", std::uint8_t{9}) == SME_OK);
    CHECK(plane.epoch == pastApi().epoch(run.it));
    CHECK(static_cast<const std::uint8_t*>(plane.first)[1] == 9);
    CHECK(run.step(1) == SME_OK);
    CHECK(plane.epoch != pastApi().epoch(run.it));
    CHECK(pastApi().plane(run.it, run.handle("cmd.gain"), &plane, sizeof plane) == SME_OK);
    CHECK(
        (plane.count == 1 && plane.bytes == 8 && *static_cast<const double*>(plane.first) == 0.5));
    CHECK(pastApi().plane(run.it, run.handle("cmd.pair"), &plane, sizeof plane) == SME_BAD_USE);
    CHECK(pastApi().plane(run.it, 99, &plane, sizeof plane) == SME_BAD_USE);
    CHECK(pastApi().plane(run.it, list, nullptr, 0) == SME_BAD_USE);
    CHECK(pastApi().epoch(nullptr) == 0);
}

TEST_CASE("past: many cycles in columns") {
    Inputs inputs;
    for (const std::vector<sme_option>& options : kHistories) {
        PastRun run(inputs.model(), options), other(inputs.model());
        CHECK((run.step(3) == SME_OK && other.step(3) == SME_OK));
        std::uint8_t v[20], list[40];
        bool go[1] = {true};
        std::uint8_t sums[20], totals[40], seen[20];
        std::uint8_t expectedSums[20], expectedTotals[20];
        for (unsigned k = 0; k < 20; ++k) {
            v[k] = static_cast<std::uint8_t>(k / 2);
            list[2 * k] = 1;
            list[2 * k + 1] = static_cast<std::uint8_t>(k % 16);
            CHECK(other.set("cmd.v", v[k]) == SME_OK);
            CHECK(other.set("cmd.go", true) == SME_OK);
            CHECK(pastApi().set_path(other.it, "cmd.list", list + 2 * k, 2) == SME_OK);
            expectedSums[k] = other.get<std::uint8_t>("res.sum");
            expectedTotals[k] = other.get<std::uint8_t>("a.t");
            CHECK(other.step(1) == SME_OK);
        }
        const sme_column in[] = {{run.handle("cmd.v"), v, 1},
                                 {run.handle("cmd.go"), go, 0},
                                 {run.handle("cmd.list"), list, 2}};
        const sme_column records[] = {{run.handle("res.sum"), sums, 1},
                                      {run.handle("a.t"), totals, 2},
                                      {run.handle("cmd.v"), seen, 1}};
        std::uint64_t done = 0;
        std::uint32_t ended = 9;
        CHECK(pastApi().run_block(run.it, 20, in, 3, records, 3, &done, &ended) == SME_OK);
        CHECK((done == 20 && ended == 0 && run.cycle() == 23));
        CHECK(std::memcmp(sums, expectedSums, 20) == 0);
        CHECK(std::memcmp(seen, v, 20) == 0);
        for (unsigned k = 0; k < 20; ++k)
            CHECK(totals[2 * k] == expectedTotals[k]);
        CHECK(run.sum() == other.sum());
        CHECK(run.text == other.text);
        CHECK((run.step(2) == SME_OK && other.step(2) == SME_OK));
        CHECK(run.sum() == other.sum());
        CHECK((run.goTo(11) == SME_OK && other.goTo(11) == SME_OK));
        CHECK(run.sum() == other.sum());
        CHECK((run.goTo(25) == SME_OK && other.goTo(25) == SME_OK));
        CHECK(run.sum() == other.sum());
        // without inputs what was set is set once more
        CHECK(run.goTo(3) == SME_OK);
        CHECK(pastApi().run_block(run.it, 20, nullptr, 0, records, 1, nullptr, nullptr) == SME_OK);
        CHECK(std::memcmp(sums, expectedSums, 20) == 0);
    }
}

TEST_CASE("past: blocks that end early, and such as are refused") {
    MixedPlan plan;
    plan.stopCycle = 9;
    Mixed mixed(plan);
    PastRun run(mixed.model());
    std::uint16_t mix[20] = {};
    const sme_column record{run.handle("mix[3].v"), mix, 2};
    std::uint64_t done = 0;
    std::uint32_t ended = 0;
    CHECK(pastApi().run_block(run.it, 20, nullptr, 0, &record, 1, &done, &ended) == SME_OK);
    CHECK((done == 10 && ended == SME_STOPPED && run.cycle() == 10));
    const auto next = run.get<std::uint16_t>("mix[3].v");
    CHECK(mix[9] != next);
    CHECK(mix[10] == 0);
    CHECK(pastApi().run_block(run.it, 1, nullptr, 0, &record, 1, &done, &ended) == SME_OK);
    CHECK(mix[0] == next);
    CHECK(pastApi().run_block(run.it, 0, nullptr, 0, nullptr, 0, &done, &ended) == SME_OK);
    CHECK((done == 0 && ended == 0));

    Inputs inputs;
    PastRun driven(inputs.model());
    std::uint8_t rows[4] = {1, 0, 2, 1};
    const auto refused = [&](const std::vector<sme_column>& in,
                             const std::vector<sme_column>& out) {
        const sme_status status = pastApi().run_block(driven.it, 4, in.data(), in.size(),
                                                      out.data(), out.size(), nullptr, nullptr);
        CHECK(status != SME_OK);
        CHECK(driven.cycle() == 0);
        return driven.message();
    };
    const std::uint32_t go = driven.handle("cmd.go"), list = driven.handle("cmd.list"),
                        part = driven.handle("cmd.list[1]"), sum = driven.handle("res.sum");
    CHECK(refused({{go, rows, 1}}, {}) == "row 2 of an input is no bool");
    CHECK(refused({{sum, rows, 1}}, {}) == "a block drives exposed inputs only");
    CHECK(refused({{list, rows, 0}, {part, rows, 1}}, {}) == "'cmd.list[1]' is driven twice");
    CHECK(refused({{go, rows, 0}, {go, rows, 0}}, {}) == "'cmd.go' is driven twice");
    CHECK(refused({{99, rows, 0}}, {}) == "no such handle");
    CHECK(refused({{go, nullptr, 0}}, {}) == "a column without rows");
    CHECK(refused({}, {{sum, rows, 0}}) == "rows of records lie over one another");
    CHECK(driven.get<std::uint8_t>("cmd.v") == 0);
}

TEST_CASE("past: the option, and traces") {
    Inputs inputs;
    for (const char* value : {"", "0", "x", "12x", "99999999999999999999", "-1"}) {
        const sme_option option{"snapshots", value};
        sme_simulation* none = nullptr;
        char why[200] = "";
        CHECK(pastApi().create(&inputs.model(), &option, 1, nullptr, &none, why, sizeof why)
              == SME_BAD_USE);
        CHECK(std::string(why) == "snapshots takes a number of MiB, or off");
        const sme_option share{"snapshot-time", value};
        CHECK(pastApi().create(&inputs.model(), &share, 1, nullptr, &none, why, sizeof why)
              == SME_BAD_USE);
        CHECK(std::string(why) == "snapshot-time takes a number of percent, 1 to 100");
    }
    PastRun run(inputs.model());
    const std::string path = temporaryPath("past_trace.csv");
    CHECK(pastApi().trace(run.it, path.c_str(), nullptr, 0) == SME_OK);
    driveOn(run, 20);
    CHECK(run.goTo(7) == SME_OK);
    CHECK(run.step(16) == SME_OK);
    CHECK(pastApi().trace(run.it, nullptr, nullptr, 0) == SME_OK);
    PastRun straight(inputs.model());
    const std::string other = temporaryPath("straight_trace.csv");
    CHECK(pastApi().trace(straight.it, other.c_str(), nullptr, 0) == SME_OK);
    driveOn(straight, 20);
    CHECK(straight.step(3) == SME_OK);
    CHECK(pastApi().trace(straight.it, nullptr, nullptr, 0) == SME_OK);
    CHECK(readFile(path) == readFile(other));
}
