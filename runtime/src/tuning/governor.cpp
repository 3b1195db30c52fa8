#include "tuning/governor.h"

#include <algorithm>

#include "schedule/machine.h"
#include "tuning/target.h"
#include "values/printf_text.h"

namespace sme {

void EngineCourse::use(unsigned threads) {
    if (engine_.config().threads == threads) return;
    EngineConfig config = engine_.config();
    config.threads = threads;
    engine_.configure(config);
}

std::int64_t EngineCourse::now() const { return nowNs(); }

/// Nanoseconds per cycle.
double Governor::window(std::uint64_t cycles) {
    const std::uint64_t first = course_.cycle();
    const std::int64_t start = course_.now();
    ended_ = course_.run(std::min(until_ - first, cycles) + first);
    const std::uint64_t done = std::max<std::uint64_t>(1, course_.cycle() - first);
    return cycleNs_ = static_cast<double>(course_.now() - start) / static_cast<double>(done);
}

std::uint64_t Governor::cyclesIn(double nanoseconds) const {
    return cycleNs_ > 0 ? 1 + static_cast<std::uint64_t>(nanoseconds / cycleNs_) : 1;
}

Governor::Speed Governor::measure(unsigned threads, double hopeless) {
    course_.use(threads);
    // an idea from the number of threads before; 1 at first
    std::uint64_t cycles = cyclesIn(target::kWindowNs * target::kFirstWindow);
    const std::int64_t start = course_.now();
    const std::int64_t doubt = std::max(target::kDoubtNs, (start - started_) / target::kTrialShare);
    double best = window(cycles);
    while (!over()) {
        const bool isLong = best * static_cast<double>(cycles) >= target::kWindowNs;
        if (best > hopeless && course_.now() - start > doubt) return {best, best};
        if (best <= hopeless && isLong) break;
        if (!isLong) cycles *= 2;
        best = std::min(best, window(cycles));
    }
    return measureLong(cycles, best);
}

Governor::Speed Governor::measureLong(std::uint64_t cycles, double best) {
    const std::uint64_t first = course_.cycle();
    const std::int64_t start = course_.now();
    for (int i = 0; i < target::kRepeats && !over(); ++i)
        best = std::min(best, window(cycles));
    const auto done = static_cast<double>(course_.cycle() - first);
    return {best, done > 0 ? static_cast<double>(course_.now() - start) / done : best};
}

/// What went by is longer than a trial, and tells more.
Governor::Speed Governor::withPast(Speed speed) const {
    if (trying_ != settled_ || sinceTrial_.cycles <= 0) return speed;
    if (trying_ == 1) return {speed.best, sinceTrial_.mean()};
    // where it was time for the trial, others may have come and gone
    return isDue_ ? speed : Speed{speed.best, std::max(speed.mean, sinceTrial_.mean())};
}

/// Takes the time of a cycle on `trying_` threads. Whether nothing more is to be tried.
bool Governor::judge(Speed speed) {
    speed = withPast(speed);
    if (trying_ == 1) {
        best_ = alone_ = speed;
        chosen_ = 1;
        const bool isShort = speed.best < target::kWorthSharingNs;
        if (isShort)
            reason_ =
                printfText("auto: a cycle takes %.2f us, too short to share", speed.best / 1000);
        return isShort;
    }
    const bool isBetter = speed.best <= best_.best * target::kGain && speed.mean <= best_.mean;
    if (!isBetter) {
        const double times =
            std::min(alone_.best / speed.best, alone_.mean / speed.mean);  // what spoke against it
        if (chosen_ == 1)
            reason_ = printfText("auto: %.2f times the speed with %u threads", times, trying_);
        return true;
    }
    best_ = speed;
    chosen_ = trying_;
    reason_ = printfText("auto: %.2f times the speed of one thread", alone_.best / best_.best);
    return trying_ == most_;
}

/// A trial, which leaves the engine on the best number of threads. Where the run is over before, the
/// next one goes on with it.
void Governor::choose() {
    const std::int64_t start = course_.now();
    if (trying_ == 0) {
        trying_ = 1;
        trialNs_ = 0;
    }
    while (trying_ != 0) {
        const double hopeless = trying_ == 1 ? 1e300 : target::kHopeless * best_.best;
        const Speed speed = measure(trying_, hopeless);
        if (over()) {
            if (reason_.empty()) reason_ = "auto: over before more could be tried";
            trialNs_ += course_.now() - start;
            return;
        }
        trying_ = judge(speed) ? 0 : std::min(trying_ * 2, most_);
    }
    course_.use(chosen_);
    cycleNs_ = best_.mean;
    trialNs_ += course_.now() - start;
    settle();
}

/// After a trial.
void Governor::settle() {
    const bool isFirst = settled_ == 0;
    const bool isChanged = !isFirst && chosen_ != settled_;
    if (isDue_) {
        if (settled_ > 1) regrets_ = 0;  // it was worth it as long as it was to be
    } else if (isChanged && chosen_ < settled_) {
        regrets_ = std::min(regrets_ + 1, target::kMostRegrets);
    }
    changes_ += isChanged;
    planNext(isFirst || isChanged);
    settled_ = chosen_;
    sinceTrial_ = {};
    slow_ = 0;
    next_ = course_.now() + interval_;
}

/// What the trial took says how soon the next one may come.
void Governor::planNext(bool isChanged) {
    const std::int64_t soonest = std::max(target::kFirstTrialNs, target::kTrialShare * trialNs_);
    if (isChanged) {
        patience_ = target::kPatience;
        interval_ = std::max(soonest, std::min(soonest << regrets_, target::kRarestTrialNs));
    } else {
        patience_ = isDue_ ? patience_ : std::min(2 * patience_, target::kMostPatience);
        interval_ = std::max(soonest, std::min(2 * interval_, target::kRarestTrialNs));
    }
}

/// Runs for a while. Whether it is time for a trial.
bool Governor::runSlice() {
    const std::uint64_t first = course_.cycle();
    const double time = window(cyclesIn(target::kSliceNs));
    const auto done = static_cast<double>(course_.cycle() - first);
    sinceTrial_.cycles += done;
    sinceTrial_.time += done * time;
    slow_ = settled_ > 1 && time > alone_.mean ? slow_ + 1 : 0;
    isDue_ = course_.now() >= next_;
    return slow_ >= patience_ || isSlowAsAWhole() || isDue_;
}

/// A slice in which threads stand still may stand among good ones.
bool Governor::isSlowAsAWhole() const {
    const double enough = target::kSliceNs * target::kWhole * patience_;
    return settled_ > 1 && sinceTrial_.time >= enough && sinceTrial_.mean() > alone_.mean;
}

std::uint32_t Governor::run(std::uint64_t until) {
    until_ = until;
    ended_ = 0;
    if (started_ == 0) started_ = course_.now();
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
