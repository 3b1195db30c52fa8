#include "engine/observation.h"

#include <algorithm>

namespace sme {

void Observation::begin(Observer* observer) {
    observer_ = observer;
    during_ = observer && observer->wantsDuring;
    between_ = observer && observer->wantsBetween;
    after_ = observer && observer->wantsAfter;
    output_.forgetStop();
}

std::uint64_t Observation::watchedFrom(std::uint64_t cycle, std::uint64_t until) const {
    if (!during_ && !between_ && !after_) return until;
    const std::uint64_t wanted = observer_->nextWanted(cycle);
    // the one in front of it, too: what variables are before it is kept behind that
    return wanted <= cycle + 1 ? cycle : std::min(until - 1, wanted - 1);
}

std::uint32_t Observation::during(std::uint64_t cycle) {
    return flagsOf([&] { return observer_->during(cycle); });
}

std::uint32_t Observation::between(std::uint64_t cycle) {
    return flagsOf([&] { return observer_->between(cycle); });
}

std::uint32_t Observation::settle(std::span<ThreadLog* const> logs, std::uint64_t cycle,
                                  std::uint32_t flags) {
    std::uint32_t found = 0;
    if ((flags & kHasOutput) != 0)
        found = flagsOf(
            [&] { return isMute_ ? output_.drop(logs, cycle) : output_.merge(logs, cycle); });
    if (after_ && ((flags | found) & kEnds) == 0)
        found |= flagsOf([&] { return observer_->after(cycle); });
    return found;
}

}  // namespace sme
