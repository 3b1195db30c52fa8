#include "schedule/machine.h"

#include <catch2/catch.hpp>
#include <sched.h>

#include <filesystem>
#include <thread>

#include "test_models.h"

using namespace sme;
using namespace sme::test;

TEST_CASE("processors: never more than the machine has, at least one") {
    const Machine machine = inspectMachine();
    CHECK(machine.processors >= 1);
    CHECK(machine.inMask <= std::max(1u, std::thread::hardware_concurrency()));
    CHECK(machine.processors <= machine.inMask);
    CHECK(peakMemory() > 100'000);
}

TEST_CASE("processors: the affinity mask binds") {
    std::thread([] {
        cpu_set_t before;
        REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
            if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
        }
        REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
        CHECK(inspectMachine().processors == 1);
    }).join();
}

TEST_CASE("processors: what others use, from the kernel's counts") {
    const std::string before =
        "cpu  1 1 1 1 1 1 1 1 0 0\n"
        "cpu0 100 0 0 100 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\ncpu12 5 5 5 5 5 5 5 5 0 0\n"
        "intr 12 34\n";
    const std::string after =
        "cpu0 180 10 5 150 50 2 1 2 0 0\ncpu1 0 0 0 150 50 0 0 0 0 0\ncpu12 5000 5 5 5 5 5 5 5\n";
    const std::vector<bool> both{true, true};
    ProcessorTimes first = processorTimesIn(before, both, 100);
    ProcessorTimes last = processorTimesIn(after, both, 100);
    CHECK(first.all == Approx(2));
    CHECK(first.busy == Approx(1));
    CHECK(last.all == Approx(6));
    CHECK(last.busy == Approx(2));
    CHECK(usedByOthers(first, last, 2) == Approx(0.5));
    last.own = 0.75;
    CHECK(usedByOthers(first, last, 2) == Approx(0.125));
    last.own = 5;
    CHECK(usedByOthers(first, last, 2) == 0);
    CHECK(usedByOthers(last, last, 2) == 0);
    CHECK(processorTimesIn("", both, 100).all == 0);
    const ProcessorTimes here = processorTimes();
    CHECK(here.own > 0);
    CHECK(here.busy <= here.all);
}

TEST_CASE("processors: quotas of control groups and their parents") {
    const std::string root = temporaryPath("cgroup");
    std::filesystem::create_directories(root + "/a/b");
    writeFile("cgroup/cpu.max", "max 100000\n");
    CHECK(cgroupQuota(root, "/a/b", true) == 0);
    writeFile("cgroup/a/b/cpu.max", "400000 100000\n");
    CHECK(cgroupQuota(root, "/a/b", true) == 4);
    writeFile("cgroup/a/cpu.max", "150000 100000\n");
    CHECK(cgroupQuota(root, "/a/b", true) == 1.5);
    CHECK(cgroupQuota(root, "/a/elsewhere", true) == 1.5);
    CHECK(cgroupQuota(root, "/", true) == 0);
    writeFile("cgroup/cpu.cfs_quota_us", "-1\n");
    writeFile("cgroup/cpu.cfs_period_us", "100000\n");
    CHECK(cgroupQuota(root, "/", false) == 0);
    writeFile("cgroup/cpu.cfs_quota_us", "200000\n");
    CHECK(cgroupQuota(root, "/gone", false) == 2);
}
