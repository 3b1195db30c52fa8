#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/target.h"
#include "schedule/target.h"

namespace sme {

/// Whether a run of few cycles stays with the thread that asked for it, which is done before the
/// others are awake. By what cycles took that stayed, which the first short runs do not.
class ShortRuns {
public:
    /// Of the next run; `threads` that it would have.
    bool stays(std::uint64_t cycles, unsigned threads) {
        if (threads < 2 || cycles > target::kShortRunCycles || ++seen_ <= target::kFirstRuns)
            return false;
        const double saved = static_cast<double>(cycles) * nanoseconds_ * (threads - 1) / threads;
        if (saved < static_cast<double>(target::kWakeNs)) return true;
        // what cycles take changes: it is tried again some time
        nanoseconds_ *= target::kForgotten;
        return false;
    }
    /// What a run that stayed took.
    void took(std::uint64_t cycles, double nanoseconds) {
        const double now = nanoseconds / static_cast<double>(cycles);
        // a moment in which the processor did something else says little
        const double known = std::min(now, 2 * nanoseconds_ + target::kWakeNs);
        nanoseconds_ += target::kNewestRun * (known - nanoseconds_);
    }

private:
    std::uint64_t seen_ = 0;
    double nanoseconds_ = 0;  ///< of a cycle
};

}  // namespace sme
