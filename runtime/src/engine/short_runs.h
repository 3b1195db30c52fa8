#pragma once

#include <algorithm>
#include <cstdint>

#include "schedule/target.h"

namespace sme {

/// Whether a run of few cycles stays with the thread that asked for it, which is done before the
/// others are awake. By what cycles took that stayed, which the first short runs do not.
class ShortRuns {
public:
    /// Of the next run; `threads` that it would have.
    bool stays(std::uint64_t cycles, unsigned threads) {
        if (threads < 2 || cycles > kMostCycles || ++seen_ <= kFirstRuns) return false;
        const double saved = static_cast<double>(cycles) * nanoseconds_ * (threads - 1) / threads;
        if (saved < static_cast<double>(target::kWakeNs)) return true;
        nanoseconds_ *= kForgotten;  // what cycles take changes: it is tried again some time
        return false;
    }
    /// What a run that stayed took.
    void took(std::uint64_t cycles, double nanoseconds) {
        const double now = nanoseconds / static_cast<double>(cycles);
        // a moment in which the processor did something else says little
        nanoseconds_ +=
            kNewest * (std::min(now, 2 * nanoseconds_ + target::kWakeNs) - nanoseconds_);
    }

private:
    static constexpr std::uint64_t kMostCycles = 64;
    static constexpr std::uint64_t kFirstRuns = 16;
    static constexpr double kNewest = 0.25;
    static constexpr double kForgotten = 0.99;

    std::uint64_t seen_ = 0;
    double nanoseconds_ = 0;  ///< of a cycle
};

}  // namespace sme
