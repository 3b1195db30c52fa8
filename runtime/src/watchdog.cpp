#include "watchdog.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>

#include "machine.h"
#include "signals.h"
#include "summary.h"

namespace sme {
namespace {

constexpr double kTick = 0.5;  // seconds between two lines of progress

}  // namespace

Watchdog::Watchdog(std::atomic<std::uint32_t>& request, double timeout, bool progress,
                   std::uint64_t limit)
    : request_(request), timeout_(timeout), progress_(progress), limit_(limit), thread_([this] {
          watch();
      }) {}

Watchdog::~Watchdog() {
    {
        const std::lock_guard lock(mutex_);
        end_ = true;
    }
    ended_.notify_one();
    thread_.join();
    if (progress_ && isatty(STDERR_FILENO)) std::fputs("\r\033[K", stderr);
}

void Watchdog::watch() {
    const std::int64_t start = nowNs();
    std::uint64_t told = 0;
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
            tell(seconds, done, static_cast<double>(done - told) / (seconds - toldAt));
            told = done;
            toldAt = seconds;
        }
        double until = progress_ ? toldAt + kTick : seconds + 3600;
        if (!over) until = std::min(until, timeout_);
        const auto wait = std::chrono::duration<double>(std::max(0.0, until - seconds) + 0.001);
        if (ended_.wait_for(lock, wait, [this] { return end_; })) return;
    }
}

void Watchdog::tell(double seconds, std::uint64_t done, double perSecond) const {
    char line[200];
    int length = std::snprintf(line, sizeof line, "cycle %" PRIu64, done);
    const auto room = [&] { return sizeof line - static_cast<std::size_t>(length); };
    if (limit_ != ~std::uint64_t{0} && limit_ > 0) {
        length += std::snprintf(line + length, room(), " of %" PRIu64 " (%.0f %%)", limit_,
                                100.0 * static_cast<double>(done) / static_cast<double>(limit_));
    }
    std::snprintf(line + length, room(), ", %s cycles/s, %.1f s", withPrefix(perSecond).c_str(),
                  seconds);
    if (isatty(STDERR_FILENO)) {
        std::fprintf(stderr, "\r%s\033[K", line);
    } else {
        std::fprintf(stderr, "%s\n", line);
    }
    std::fflush(stderr);
}

}  // namespace sme
