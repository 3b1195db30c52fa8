#include "cli/watchdog.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "cli/signals.h"
#include "schedule/machine.h"

namespace sme {
namespace {

constexpr double kTick = 0.5;  // seconds between two lines of progress

}  // namespace

Watchdog::Watchdog(std::atomic<std::uint32_t>& request, double timeout, bool progress,
                   std::uint64_t first, std::uint64_t limit)
    : request_(request),
      timeout_(timeout),
      progress_(progress),
      first_(first),
      limit_(limit),
      cycle_(first),
      thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
    {
        const std::lock_guard lock(mutex_);
        end_ = true;
    }
    ended_.notify_one();
    thread_.join();
    if (hasBar_) std::fputs("\r\033[K", stderr);
}

void Watchdog::watch() {
    const std::int64_t start = nowNs();
    std::uint64_t told = first_;
    double toldAt = 0;
    bool over = timeout_ <= 0;
    std::unique_lock lock(mutex_);
    for (;;) {
        const double seconds = static_cast<double>(nowNs() - start) * 1e-9;
        if (!over && seconds >= timeout_) {
            over = true;
            std::uint32_t none = 0;
            request_.compare_exchange_strong(none, kTimeLimit,
                                             std::memory_order_relaxed);  // nothing goes with it
        }
        if (progress_ && seconds >= toldAt + kTick) {
            const std::uint64_t done = cycle_.load(std::memory_order_relaxed);
            const double perSecond = static_cast<double>(done - told) / (seconds - toldAt);
            tell({done, limit_, first_, seconds, perSecond, timeout_});
            told = done;
            toldAt = seconds;
        }
        double until = progress_ ? toldAt + kTick : seconds + 3600;
        if (!over) until = std::min(until, timeout_);
        const auto wait = std::chrono::duration<double>(std::max(0.0, until - seconds) + 0.001);
        if (ended_.wait_for(lock, wait, [this] { return end_; })) return;
    }
}

void Watchdog::tell(const Progress& progress) {
    const unsigned columns = terminalColumns(STDERR_FILENO);
    hasBar_ = columns > 0;
    if (hasBar_) {
        std::fprintf(stderr, "\r%s\033[K", progressBar(progress, columns).c_str());
    } else {
        std::fprintf(stderr, "%s\n", progressLine(progress).c_str());
    }
    std::fflush(stderr);
}

}  // namespace sme
