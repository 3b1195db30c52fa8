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
    const std::int64_t doubt = std::max(target::kDoubtNs, (start - started_) / target::kTrialShare);
    double best = window(cycles);
    while (!over()) {
        const bool isLong = best * static_cast<double>(cycles) >= target::kWindowNs;
        if (best > hopeless && nowNs() - start > doubt) return cycleNs_ = best;
        if (best <= hopeless && isLong) break;
        if (!isLong) cycles *= 2;
        best = std::min(best, window(cycles));
    }
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

/// Takes the time of a cycle on `trying_` threads. Whether nothing more is to be tried.
bool Governor::judge(double time) {
    if (trying_ == 1) {
        best_ = aloneNs_ = time;
        chosen_ = 1;
        const bool isShort = time < target::kWorthSharingNs;
        if (isShort)
            reason_ = printfText("auto: a cycle takes %.2f us, too short to share", time / 1000);
        return isShort;
    }
    if (time > best_ * target::kGain) {
        if (chosen_ == 1)
            reason_ =
                printfText("auto: %.2f times the speed with %u threads", aloneNs_ / time, trying_);
        return true;
    }
    best_ = time;
    chosen_ = trying_;
    reason_ = printfText("auto: %.2f times the speed of one thread", aloneNs_ / best_);
    return trying_ == most_;
}

/// A trial, which leaves the engine on the best number of threads. Where the run is over before, the
/// next one goes on with it.
void Governor::choose() {
    const std::int64_t start = nowNs();
    if (trying_ == 0) {
        trying_ = 1;
        trialNs_ = 0;
    }
    while (trying_ != 0) {
        const double time = measure(trying_, trying_ == 1 ? 1e300 : target::kHopeless * best_);
        if (over()) {
            if (reason_.empty()) reason_ = "auto: over before more could be tried";
            trialNs_ += nowNs() - start;
            return;
        }
        trying_ = judge(time) ? 0 : std::min(trying_ * 2, most_);
    }
    use(chosen_);
    cycleNs_ = best_;
    trialNs_ += nowNs() - start;
    settle();
}

/// After a trial: what it took says how soon the next one may come.
void Governor::settle() {
    const std::int64_t soonest = std::max(target::kFirstTrialNs, target::kTrialShare * trialNs_);
    if (settled_ == 0) {
        interval_ = soonest;
    } else if (chosen_ != settled_) {
        ++changes_;
        patience_ = target::kPatience;
        interval_ = soonest;
    } else {
        patience_ = isDue_ ? patience_ : std::min(2 * patience_, target::kMostPatience);
        interval_ = std::max(soonest, std::min(2 * interval_, target::kRarestTrialNs));
    }
    settled_ = chosen_;
    slow_ = 0;
    next_ = nowNs() + interval_;
}

/// Runs for a while. Whether it is time for a trial.
bool Governor::runSlice() {
    const double time = window(cyclesIn(target::kSliceNs));
    slow_ = settled_ > 1 && time > aloneNs_ ? slow_ + 1 : 0;
    isDue_ = nowNs() >= next_;
    return slow_ >= patience_ || isDue_;
}

std::uint32_t Governor::run(std::uint64_t until) {
    until_ = until;
    ended_ = 0;
    if (started_ == 0) started_ = nowNs();
    while (!over()) {
        const bool isTrying = settled_ == 0 || trying_ != 0;
        if (isTrying || (runSlice() && !over())) choose();
    }
    return ended_;
}

std::string Governor::reason() const {
    if (changes_ == 0) return reason_;
    return reason_ + "; changed " + std::to_string(changes_) + (changes_ == 1 ? " time" : " times");
}

}  // namespace sme
