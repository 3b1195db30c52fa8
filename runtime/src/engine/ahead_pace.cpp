// A stretch of n cycles ahead costs a copy and one answer, and saves n answers. It is lost where
// something happened in it: whoever goes back often tries again ever later.
//
//   ask 64   ahead 16   ahead 32   ahead 64, undone   ask 128   ahead 16 …

#include "engine/ahead_pace.h"

#include <algorithm>

#include "engine/target.h"

namespace sme {

bool AheadPace::pays(unsigned log) const {
    const double saved = askNs_ * static_cast<double>(std::uint64_t{1} << log);
    return copyNs_ + askNs_ <= saved * target::kAheadShare;
}

/// So that a stretch takes kAheadNs at most.
unsigned AheadPace::longest() const {
    unsigned log = 0;
    while (log < kLongestAhead
           && static_cast<double>(std::uint64_t{2} << log) * cycleNs_ <= target::kAheadNs)
        ++log;
    return log;
}

/// The first one that pays.
unsigned AheadPace::shortest() const {
    unsigned log = 1;
    while (log < kLongestAhead && !pays(log))
        ++log;
    return log;
}

void AheadPace::tryAhead() {
    const bool isWorthIt = longest() > 0 && pays(longest());
    if (isWorthIt) {
        next_ = {shortest(), true};
        return;
    }
    next_ = {pause_, false};
    pause_ = std::min(pause_ + 1, kLongestPause);
}

AheadPace AheadPace::always(unsigned log) {
    AheadPace pace(0);
    pace.next_ = {std::min(log, kLongestAhead), true};
    pace.isAlways_ = true;
    return pace;
}

AheadPace AheadPace::never() {
    AheadPace pace(0);
    pace.next_ = {kLongestPause, false};
    pace.isAlways_ = true;
    return pace;
}

void AheadPace::asked(std::uint64_t cycles, double ns, double askNs) {
    if (cycles == 0 || isAlways_) return;
    cycleNs_ = ns / static_cast<double>(cycles);
    askNs_ = askNs;
    tryAhead();
}

void AheadPace::confirmed(std::uint64_t cycles, double ns, double copyNs) {
    cyclesAhead_ += cycles;
    if (cycles == 0 || isAlways_) return;
    cycleNs_ = ns / static_cast<double>(cycles);
    copyNs_ = copyNs;
    const unsigned most = longest();
    if (most == 0 || !pays(most)) return tryAhead();
    if (next_.log >= most && pause_ > kFirstPause) --pause_;
    next_ = {std::clamp(next_.log + 1, 1u, most), true};
}

void AheadPace::undone() {
    ++timesUndone_;
    if (isAlways_) return;
    pause_ = std::min(std::max(pause_ + 1, next_.log + 1), kLongestPause);
    next_ = {pause_, false};
}

}  // namespace sme
