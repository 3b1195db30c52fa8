#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sme {

/// What the operating system lets this process use.
struct Machine {
    unsigned inMask = 1;  ///< processors in the affinity mask
    double quota = 0;     ///< processors' worth of time by the cgroup's quota; 0: no quota
    unsigned processors =
        1;  ///< how many threads can run at once: the smaller of the two, at least 1
};

Machine inspectMachine();

/// Seconds of processors that the programs of this machine have used since it started, on those of
/// the affinity mask, and of them this process. Zeros where the system does not tell.
struct ProcessorTimes {
    double all = 0;   ///< all seconds that went by, used or not
    double busy = 0;  ///< used by anybody, or taken by the host of a virtual machine
    double own = 0;
};
ProcessorTimes processorTimes();
/// Reads the text of /proc/stat for the processors `isOurs` says; apart for tests.
ProcessorTimes processorTimesIn(const std::string& stat, const std::vector<bool>& isOurs,
                                double ticksPerSecond);
/// How many of `processors` others used between two looks, 0 to `processors`.
double usedByOthers(const ProcessorTimes& before, const ProcessorTimes& after, unsigned processors);

/// Peak resident memory of this process in bytes (VmHWM); 0 when unknown.
std::uint64_t peakMemory();

/// Monotonic time in nanoseconds.
std::int64_t nowNs();

/// The first line of a small file without the space at its end; empty when there is none.
std::string firstLine(const std::string& path);

/// The quota of the control group at `path` below `root` and of its parents: the smallest, 0 for
/// none. `v2` chooses between cpu.max and cpu.cfs_quota_us. Apart from inspectMachine() for tests.
double cgroupQuota(const std::string& root, std::string path, bool v2);

}  // namespace sme
