// What callers of the table of C functions should not do, and what a machine refuses: errors, never
// a crash, and the simulation is what it was.

#include <sme/simulation.h>

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "failing_allocations.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

const sme_simulation_table& misused() { return *sme_compiled_simulations(); }

struct EndSimulation {
    void operator()(sme_simulation* simulation) const { misused().destroy(simulation); }
};
using MisusedSimulation = std::unique_ptr<sme_simulation, EndSimulation>;

MisusedSimulation makeMisused(const Model& model, const std::vector<sme_option>& options = {},
                              const sme_sinks* sinks = nullptr) {
    sme_simulation* it = nullptr;
    REQUIRE(misused().create(&model, options.data(), options.size(), sinks, &it, nullptr, 0)
            == SME_OK);
    return MisusedSimulation(it);
}

/// Every function that changes something, with what is right for it.
std::vector<std::function<sme_status(sme_simulation*)>> allCalls() {
    return {
        [](auto* s) { return misused().step(s, 1, nullptr); },
        [](auto* s) { return misused().run_until(s, 99, nullptr, nullptr, nullptr); },
        [](auto* s) { return misused().reset(s); },
        [](auto* s) { return misused().go_to(s, 0); },
        [](auto* s) { return misused().eval(s); },
        [](auto* s) { return misused().trace(s, nullptr, nullptr, 0); },
        [](auto* s) { return misused().run_block(s, 1, nullptr, 0, nullptr, 0, nullptr, nullptr); },
    };
}

/// States of all other threads of this process: S sleeps in the kernel.
std::string otherThreads() {
    std::string states;
    DIR* tasks = opendir("/proc/self/task");
    while (const dirent* task = readdir(tasks)) {
        if (task->d_name[0] == '.' || std::atoi(task->d_name) == gettid()) continue;
        std::ifstream file(std::string("/proc/self/task/") + task->d_name + "/stat");
        const std::string line{std::istreambuf_iterator<char>(file), {}};
        const std::size_t name = line.rfind(')');
        if (name != std::string::npos) states += line[name + 2];
    }
    closedir(tasks);
    return states;
}

}  // namespace

TEST_CASE("misuse: a second thread is told so, and nothing happens") {
    Ring ring(5);
    const MisusedSimulation simulation = makeMisused(ring.model());
    const auto ask = [](void* user, std::uint64_t) {
        auto* s = static_cast<sme_simulation*>(user);
        std::thread([&] {
            for (const auto& call : allCalls())
                CHECK(call(s) == SME_BAD_USE);
            std::uint32_t value = 0;
            CHECK(misused().get_path(s, "link[0].v", &value, 4) == SME_BAD_USE);
            CHECK(misused().set_path(s, "link[0].v", &value, 4) == SME_BAD_USE);
            CHECK(misused().status(s) == SME_BAD_USE);
            CHECK(misused().message(s) == std::string("the simulation is used by another thread"));
            CHECK(
                (misused().cycle(s) == 0 && misused().checksum(s) == 0 && misused().epoch(s) == 0));
            misused().destroy(s);
        }).join();
        return 0;
    };
    std::uint32_t ended = 9;
    CHECK(misused().run_until(simulation.get(), 2, ask, simulation.get(), &ended) == SME_OK);
    CHECK((ended == 0 && misused().cycle(simulation.get()) == 2));
    CHECK(misused().status(simulation.get()) == SME_BAD_USE);
    CHECK(misused().message(simulation.get())
          == std::string("the simulation is used by another thread"));
    // one after the other they may
    std::thread([&] { CHECK(misused().step(simulation.get(), 1, nullptr) == SME_OK); }).join();
    std::uint32_t value = 0;
    CHECK(misused().get(simulation.get(), 99, &value, 4) == SME_BAD_USE);
    CHECK(misused().message(simulation.get()) == std::string("no such handle"));
    CHECK(misused().get_path(simulation.get(), "link[3].v", &value, 4) == SME_OK);
    CHECK(value == Ring::expected(5, 3, 3));
}

TEST_CASE("misuse: functions of the caller's that run their own simulation") {
    Mixed mixed({});
    const MisusedSimulation simulation = makeMisused(mixed.model());
    const auto ask = [](void* user, std::uint64_t) {
        for (const auto& call : allCalls())
            CHECK(call(static_cast<sme_simulation*>(user)) == SME_BAD_USE);
        return 0;
    };
    CHECK(misused().run_until(simulation.get(), 2, ask, simulation.get(), nullptr) == SME_OK);
    CHECK(misused().cycle(simulation.get()) == 2);
    CHECK(misused().message(simulation.get())
          == std::string("a simulation cannot be run from within its own run"));

    struct Called {
        sme_simulation* simulation = nullptr;
        int times = 0;
    } called;
    const auto out = [](void* user, const char*, std::size_t) {
        auto& c = *static_cast<Called*>(user);
        ++c.times;
        std::uint32_t value = 0;
        for (const auto& call : allCalls())
            CHECK(call(c.simulation) == SME_BAD_USE);
        CHECK(misused().set_path(c.simulation, "source[0].acc", &value, 4) == SME_BAD_USE);
        CHECK(misused().message(c.simulation)
              == std::string("a simulation cannot be called from its sinks"));
        misused().destroy(c.simulation);
    };
    const sme_sinks sinks{&called, out, out};
    const MisusedSimulation printing = makeMisused(mixed.model(), {}, &sinks);
    called.simulation = printing.get();
    CHECK(misused().step(printing.get(), 9, nullptr) == SME_OK);
    CHECK(called.times > 0);
    CHECK(misused().step(simulation.get(), 7, nullptr) == SME_OK);
    CHECK(misused().checksum(printing.get()) == misused().checksum(simulation.get()));
}

TEST_CASE("misuse: any allocation may fail, and the call can be made again") {
    Inputs inputs;
    const std::string path = temporaryPath("memory.csv");
    std::uint8_t rows[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    std::uint32_t v = 0, sum = 0;
    std::vector<char> bytes(10'000);
    std::size_t size = bytes.size();
    sme_snapshot* kept = nullptr;
    sme_snapshot* loaded = nullptr;
    using Call = std::function<sme_status(sme_simulation*)>;
    const std::vector<Call> calls = {
        [&](auto* s) { return misused().find(s, "cmd.v", &v); },
        [&](auto* s) { return misused().find(s, "res.sum", &sum); },
        [&](auto* s) { return misused().set(s, v, rows, 1); },
        [&](auto* s) { return misused().step(s, 2, nullptr); },
        [&](auto* s) { return misused().snapshot(s, &kept); },
        [&](auto* s) { return misused().save(s, kept, bytes.data(), &size); },
        [&](auto* s) { return misused().load(s, bytes.data(), size, &loaded); },
        [&](auto* s) {
            const sme_column input{v, rows, 1}, record{sum, rows, 1};
            return misused().run_block(s, 8, &input, 1, &record, 1, nullptr, nullptr);
        },
        [&](auto* s) { return misused().set_path(s, "cmd.v", rows, 1); },
        [&](auto* s) { return misused().go_to(s, 3); },
        [&](auto* s) { return misused().go_to(s, 8); },
        [&](auto* s) { return misused().eval(s); },
        [&](auto* s) { return misused().save_inputs(s, path.c_str()); },
        [&](auto* s) { return misused().trace(s, path.c_str(), nullptr, 0); },
        [&](auto* s) { return misused().trace(s, nullptr, nullptr, 0); },
        [&](auto* s) { return misused().restore(s, loaded); },
        [&](auto* s) { return misused().reset(s); },
    };
    const MisusedSimulation simulation =
        makeMisused(inputs.model(), {{"snapshots", "1"}, {"snapshot-time", "100"}});
    for (std::size_t i = 0; i < calls.size(); ++i) {
        INFO("call " << i);
        sme_status status = SME_LIMIT;
        for (std::uint64_t failing = 1; status != SME_OK && failing < 10'000; ++failing) {
            allocationsLeft = failing;
            status = calls[i](simulation.get());
            const bool isOver = allocationsLeft > 0;
            allocationsLeft = 0;
            if (status != SME_OK) {
                CHECK(!isOver);
                CHECK(status == SME_LIMIT);
                CHECK(misused().status(simulation.get()) == SME_LIMIT);
            }
        }
        CHECK(status == SME_OK);
    }
    CHECK((misused().cycle(simulation.get()) == 0));
    misused().forget(kept);
    misused().forget(loaded);
    sme_simulation* made = nullptr;
    for (std::uint64_t failing = 1; !made && failing < 10'000; ++failing) {
        allocationsLeft = failing;
        char why[50] = "";
        const sme_status status =
            misused().create(&inputs.model(), nullptr, 0, nullptr, &made, why, sizeof why);
        allocationsLeft = 0;
        CHECK((status == SME_OK) == (made != nullptr));
        if (!made) CHECK((status == SME_LIMIT && std::string(why) == "out of memory"));
    }
    CHECK(made != nullptr);
    misused().destroy(made);
}

TEST_CASE("misuse: threads of a simulation that nobody runs sleep") {
    Ring ring(5000);
    const MisusedSimulation simulation =
        makeMisused(ring.model(), {{"threads", "3"}, {"oversubscribe", nullptr}});
    CHECK(misused().step(simulation.get(), 50, nullptr) == SME_OK);
    std::string states = otherThreads();
    // each comes to its sleep as soon as it is let; a test that waits in vain is ended from outside
    while (states.find_first_not_of('S') != std::string::npos)
        states = otherThreads();
    CHECK(states.size() >= 2);
}

TEST_CASE("misuse: fork") {
    Ring ring(5000);
    const MisusedSimulation single = makeMisused(ring.model(), {{"threads", "1"}});
    const MisusedSimulation several =
        makeMisused(ring.model(), {{"threads", "2"}, {"oversubscribe", nullptr}});
    for (const MisusedSimulation* each : {&single, &several})
        REQUIRE(misused().step(each->get(), 5, nullptr) == SME_OK);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        // no CHECK: its counts are the parent's
        const bool isGood =
            misused().step(single.get(), 5, nullptr) == SME_OK
            && misused().cycle(single.get()) == 10
            && misused().step(several.get(), 5, nullptr) == SME_BAD_USE
            && std::string(misused().message(several.get())).find("forked") != std::string::npos
            && misused().cycle(several.get()) == 5;
        misused().destroy(several.get());
        _exit(isGood ? 0 : 1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(misused().step(several.get(), 5, nullptr) == SME_OK);
    CHECK(misused().step(single.get(), 5, nullptr) == SME_OK);
    CHECK(misused().checksum(several.get()) == misused().checksum(single.get()));
}
