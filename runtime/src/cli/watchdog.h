#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace sme {

/// How far a run is: cycle `done` of `limit` (~0: nobody knows), after so many seconds.
struct Progress {
    std::uint64_t done = 0;
    std::uint64_t limit = ~std::uint64_t{0};
    double seconds = 0;    ///< since its start
    double perSecond = 0;  ///< cycles, of late
    double timeout = 0;    ///< seconds; 0: none
};

/// "cycle 5 of 10 (50 %), 2.00 k cycles/s, 2.5 s, 2.5 s left": the rest at the mean speed so far,
/// or to the time limit where that comes first.
std::string progressLine(const Progress& progress);

/// A thread that looks at the clock so that the cycle loop need not: asks for the end when the time
/// is over, and tells the progress on stderr. Sleeps in between.
class Watchdog {
public:
    /// `timeout` in seconds, 0: none. `limit`: cycles of the run for the percentage, ~0 when
    /// unknown. Throws std::system_error.
    Watchdog(std::atomic<std::uint32_t>& request, double timeout, bool progress,
             std::uint64_t limit);
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// Where the run keeps the cycle that it is in.
    std::atomic<std::uint64_t>& cycle() { return cycle_; }

private:
    void watch();
    static void tell(const std::string& line);

    std::atomic<std::uint32_t>& request_;
    const double timeout_;
    const bool progress_;
    const std::uint64_t limit_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;  ///< guarded by mutex_
    alignas(64) std::atomic<std::uint64_t> cycle_{0};
    std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace sme
