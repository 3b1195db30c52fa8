#include "cli/watchdog.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "cli/signals.h"
#include "report/summary.h"
#include "schedule/machine.h"
#include "values/printf_text.h"

namespace sme {
namespace {

constexpr double kTick = 0.5;  // seconds between two lines of progress

/// 4.5 s, 2 min 30 s, 3 h 20 min
std::string durationText(double seconds) {
    if (seconds < 59.95) return printfText("%.1f s", seconds);
    const auto whole = static_cast<std::uint64_t>(std::min(seconds + 0.5, 1e15));
    if (whole < 3600)
        return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

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
            const double perSecond = static_cast<double>(done - told) / (seconds - toldAt);
            tell(progressLine({done, limit_, seconds, perSecond, timeout_}));
            told = done;
            toldAt = seconds;
        }
        double until = progress_ ? toldAt + kTick : seconds + 3600;
        if (!over) until = std::min(until, timeout_);
        const auto wait = std::chrono::duration<double>(std::max(0.0, until - seconds) + 0.001);
        if (ended_.wait_for(lock, wait, [this] { return end_; })) return;
    }
}

void Watchdog::tell(const std::string& line) {
    if (isatty(STDERR_FILENO)) {
        std::fprintf(stderr, "\r%s\033[K", line.c_str());
    } else {
        std::fprintf(stderr, "%s\n", line.c_str());
    }
    std::fflush(stderr);
}

std::string progressLine(const Progress& progress) {
    const bool isLimited = progress.limit != ~std::uint64_t{0} && progress.limit > 0;
    const auto done = static_cast<double>(progress.done);
    const auto limit = static_cast<double>(progress.limit);
    std::string line = "cycle " + std::to_string(progress.done);
    if (isLimited)
        line += " of " + std::to_string(progress.limit)
                + printfText(" (%.0f %%)", std::floor(100 * done / limit));
    line += ", " + withPrefix(progress.perSecond) + " cycles/s, " + durationText(progress.seconds);
    double left = progress.timeout > 0 ? progress.timeout - progress.seconds : INFINITY;
    if (isLimited && progress.done > 0)
        left = std::min(left, (limit - done) * progress.seconds / done);
    if (std::isfinite(left)) line += ", " + durationText(std::max(0.0, left)) + " left";
    return line;
}

}  // namespace sme
