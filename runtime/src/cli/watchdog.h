#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "formats/progress_text.h"

namespace sme {

/// A thread that looks at the clock so that the cycle loop need not: asks for the end when the time
/// is over, and tells the progress on stderr. Sleeps in between.
class Watchdog {
public:
    /// `timeout` in seconds, 0: none. The run goes from cycle `first` to `limit`, ~0 when that is
    /// unknown. Throws std::system_error.
    Watchdog(std::atomic<std::uint32_t>& request, double timeout, bool progress,
             std::uint64_t first, std::uint64_t limit);
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// Where the run keeps the cycle that it is in.
    std::atomic<std::uint64_t>& cycle() { return cycle_; }

private:
    void watch();
    void tell(const Progress& progress);

    std::atomic<std::uint32_t>& request_;
    const double timeout_;
    const bool progress_;
    const std::uint64_t first_;
    const std::uint64_t limit_;
    bool hasBar_ = false;  ///< a line at the terminal, to be erased
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;  ///< guarded by mutex_
    alignas(64) std::atomic<std::uint64_t> cycle_;
    std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace sme
