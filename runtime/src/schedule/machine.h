#pragma once

#include <cstdint>
#include <string>

namespace sme {

/// What the operating system lets this process use.
struct Machine {
    unsigned inMask = 1;  ///< processors in the affinity mask
    double quota = 0;     ///< processors' worth of time by the cgroup's quota; 0: no quota
    unsigned processors =
        1;  ///< how many threads can run at once: the smaller of the two, at least 1
};

Machine inspectMachine();

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
