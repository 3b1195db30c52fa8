#include "tuning/governor.h"

#include <algorithm>

#include "schedule/machine.h"
#include "tuning/target.h"
#include "values/printf_text.h"

namespace sme {

/// Nanoseconds per cycle.
double Governor::window(std::uint64_t cycles) {
    const std::uint64_t first = engine_.cycle();
    const std::int64_t start = nowNs();
    ended_ = engine_.run(std::min(until_ - first, cycles) + first, &observer_);
    const std::uint64_t done = std::max<std::uint64_t>(1, engine_.cycle() - first);
    return cycleNs_ = static_cast<double>(nowNs() - start) / static_cast<double>(done);
}

std::uint64_t Governor::cyclesIn(double nanoseconds) const {
    return cycleNs_ > 0 ? 1 + static_cast<std::uint64_t>(nanoseconds / cycleNs_) : 1;
}

double Governor::measure(unsigned threads, double hopeless) {
    use(threads);
    // an idea from the number of threads before; 1 at first
    std::uint64_t cycles = cyclesIn(target::kWindowNs / 16);
    const std::int64_t start = nowNs();
    double best = window(cycles);
    while (!over() && best * static_cast<double>(cycles) < target::kWindowNs) {
        if (best > hopeless && nowNs() - start > target::kDoubtNs) return cycleNs_ = best;
        cycles *= 2;
        best = std::min(best, window(cycles));
    }
    if (best > hopeless) return cycleNs_ = best;
    for (int i = 1; i < target::kRepeats && !over(); ++i)
        best = std::min(best, window(cycles));
    return cycleNs_ = best;
}

void Governor::use(unsigned threads) {
    if (engine_.config().threads == threads) return;
    EngineConfig config = engine_.config();
    config.threads = threads;
    engine_.configure(config);
}

/// Leaves the engine on the best number of threads, unless the run is over before.
void Governor::choose() {
    double best = aloneNs_ = measure(1);
    unsigned chosen = 1;
    if (over()) {
        reason_ = "auto: over before more could be tried";
        return;
    }
    if (best < target::kWorthSharingNs) {
        reason_ = printfText("auto: a cycle takes %.2f us, too short to share", best / 1000);
        return;
    }
    for (unsigned threads = std::min(2u, most_); !over(); threads = std::min(threads * 2, most_)) {
        const double time = measure(threads, target::kHopeless * best);
        if (time > best * target::kGain) {
            if (chosen == 1)
                reason_ = printfText("auto: %.2f times the speed with %u threads", aloneNs_ / time,
                                     threads);
            break;
        }
        best = time;
        chosen = threads;
        reason_ = printfText("auto: %.2f times the speed of one thread", aloneNs_ / best);
        if (threads == most_) break;
    }
    if (over()) return;
    use(chosen);
    cycleNs_ = best;
}

/// What a trial takes says how soon the next one may come.
std::int64_t Governor::chooseTimed() {
    const std::int64_t start = nowNs();
    choose();
    return std::max(target::kFirstTrialNs, target::kTrialShare * (nowNs() - start));
}

std::uint32_t Governor::run() {
    std::int64_t interval = chooseTimed();
    std::int64_t next = nowNs() + interval;
    int patience = target::kPatience;
    int slow = 0;
    while (!over()) {
        const double time = window(cyclesIn(target::kSliceNs));
        const unsigned threads = engine_.config().threads;
        slow = threads > 1 && time > aloneNs_ ? slow + 1 : 0;
        const bool due = nowNs() >= next;
        if (over() || (slow < patience && !due)) continue;
        const std::int64_t soonest = chooseTimed();
        if (engine_.config().threads != threads) {
            ++changes_;
            patience = target::kPatience;
            interval = soonest;
        } else {
            patience = due ? patience : std::min(2 * patience, target::kMostPatience);
            interval = std::max(soonest, std::min(2 * interval, target::kRarestTrialNs));
        }
        slow = 0;
        next = nowNs() + interval;
    }
    return ended_;
}

std::string Governor::reason() const {
    if (changes_ == 0) return reason_;
    return reason_ + "; changed " + std::to_string(changes_) + (changes_ == 1 ? " time" : " times");
}

}  // namespace sme
