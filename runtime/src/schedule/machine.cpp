#include "schedule/machine.h"

#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <numeric>
#include <sstream>

#include "schedule/topology.h"

namespace sme {

std::string firstLine(const std::string& path) {
    std::string line;
    if (FILE* file = std::fopen(path.c_str(), "re")) {
        char buffer[512];
        if (std::fgets(buffer, sizeof buffer, file)) line = buffer;
        std::fclose(file);
    }
    while (!line.empty() && (line.back() == '\n' || line.back() == ' '))
        line.pop_back();
    return line;
}

namespace {

double quotaV2(const std::string& folder) {
    const std::string line = firstLine(folder + "/cpu.max");  // "max 100000" or "150000 100000"
    double quota = 0;
    double period = 0;
    if (std::sscanf(line.c_str(), "%lf %lf", &quota, &period) != 2 || period <= 0) return 0;
    return quota / period;
}

double quotaV1(const std::string& folder) {
    const double quota = std::atof(firstLine(folder + "/cpu.cfs_quota_us").c_str());
    const double period = std::atof(firstLine(folder + "/cpu.cfs_period_us").c_str());
    return quota > 0 && period > 0 ? quota / period : 0;
}

struct FreeCpuSet {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

struct CloseFile {
    void operator()(FILE* file) const { std::fclose(file); }
};

/// By processor, whether this process may use it; empty where the system does not say.
std::vector<bool> affinityMask() {
    // A machine may have more processors than cpu_set_t holds; then the call fails with a mask that
    // is too small.
    std::vector<bool> mask;
    for (const unsigned processor : processorsBeforeBinding()) {
        mask.resize(std::max<std::size_t>(mask.size(), processor + 1));
        mask[processor] = true;
    }
    for (int size = CPU_SETSIZE; size <= 1 << 20 && mask.empty(); size *= 4) {
        const std::unique_ptr<cpu_set_t, FreeCpuSet> set(CPU_ALLOC(static_cast<std::size_t>(size)));
        if (!set) break;
        const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(size));
        if (sched_getaffinity(0, bytes, set.get()) == 0) {
            for (int i = 0; i < size; ++i)
                mask.push_back(CPU_ISSET_S(i, bytes, set.get()));
        }
    }
    return mask;
}

unsigned processorsInMask() {
    const std::vector<bool> mask = affinityMask();
    return std::max(1u, static_cast<unsigned>(std::count(mask.begin(), mask.end(), true)));
}

double secondsOf(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double smaller(double a, double b) {
    if (a <= 0) return b;
    return b <= 0 ? a : std::min(a, b);
}

double quotaOfThisProcess() {
    double quota = 0;
    const std::unique_ptr<FILE, CloseFile> file(std::fopen("/proc/self/cgroup", "re"));
    if (!file) return 0;
    char line[1024];
    while (std::fgets(line, sizeof line, file.get())) {  // "hierarchy:controllers:path"
        line[std::strcspn(line, "\n")] = 0;
        char* controllers = std::strchr(line, ':');
        char* path = controllers ? std::strchr(controllers + 1, ':') : nullptr;
        if (!path) continue;
        *path++ = 0;
        ++controllers;
        if (*controllers == 0) {
            quota = smaller(quota, cgroupQuota("/sys/fs/cgroup", path, true));
            continue;
        }
        const std::string list = std::string(",") + controllers + ",";
        if (list.find(",cpu,") != std::string::npos) {
            quota = smaller(quota, cgroupQuota("/sys/fs/cgroup/cpu", path, false));
        }
    }
    return quota;
}

}  // namespace

double cgroupQuota(const std::string& root, std::string path, bool v2) {
    double quota = 0;
    for (;;) {  // a parent's quota binds too; in a container the path may not exist, the root does
        quota = smaller(quota, v2 ? quotaV2(root + path) : quotaV1(root + path));
        const std::size_t slash = path.rfind('/');
        if (slash == std::string::npos || path.empty()) return quota;
        path.resize(slash);
    }
}

Machine inspectMachine() {
    Machine machine;
    machine.inMask = processorsInMask();
    machine.quota = quotaOfThisProcess();
    machine.processors = machine.inMask;
    if (machine.quota > 0 && machine.quota < machine.inMask) {
        machine.processors = std::max(1u, static_cast<unsigned>(machine.quota));
    }
    return machine;
}

ProcessorTimes processorTimesIn(const std::string& stat, const std::vector<bool>& isOurs,
                                double ticksPerSecond) {
    ProcessorTimes times;
    std::istringstream lines(stat);
    for (std::string line; std::getline(lines, line);) {
        unsigned number = 0;
        // user, nice, system, idle, waiting for input, interrupts, soft interrupts, stolen
        double ticks[8] = {};
        const int found = std::sscanf(line.c_str(), "cpu%u %lf %lf %lf %lf %lf %lf %lf %lf",
                                      &number, &ticks[0], &ticks[1], &ticks[2], &ticks[3],
                                      &ticks[4], &ticks[5], &ticks[6], &ticks[7]);
        if (found < 6 || line[3] == ' ' || number >= isOurs.size() || !isOurs[number]) continue;
        const double all = std::accumulate(std::begin(ticks), std::end(ticks), 0.0);
        times.all += all / ticksPerSecond;
        times.busy += (all - ticks[3] - ticks[4]) / ticksPerSecond;
    }
    return times;
}

ProcessorTimes processorTimes() {
    const std::ifstream file("/proc/stat");
    std::ostringstream text;
    if (file) text << file.rdbuf();
    ProcessorTimes times =
        processorTimesIn(text.str(), affinityMask(), static_cast<double>(sysconf(_SC_CLK_TCK)));
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        times.own = secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime);
    return times;
}

double usedByOthers(const ProcessorTimes& before, const ProcessorTimes& after,
                    unsigned processors) {
    const double all = after.all - before.all;
    if (all <= 0) return 0;
    const double others = (after.busy - before.busy) - (after.own - before.own);
    return std::clamp(others / all, 0.0, 1.0) * processors;
}

std::uint64_t peakMemory() {
    if (FILE* file = std::fopen("/proc/self/status", "re")) {
        char line[256];
        unsigned long kib = 0;
        while (std::fgets(line, sizeof line, file)) {
            if (std::sscanf(line, "VmHWM: %lu kB", &kib) == 1) break;
        }
        std::fclose(file);
        if (kib > 0) return std::uint64_t{kib} * 1024;
    }
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::int64_t nowNs() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace sme
