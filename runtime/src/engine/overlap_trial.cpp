// Longer stretches until one takes long enough, which touches all memory, too; then by turns:
//
//   8  16  32  64 without | 64 with  64 without  64 with … | the rest, as was faster

#include "engine/overlap_trial.h"

#include "engine/target.h"

namespace sme {

void OverlapTrial::took(std::uint64_t cycles, double ns) {
    if (cycles == 0 || next_.isLast) return;
    const bool isLong = ns >= target::kOverlapTrialNs || next_.log == kLongest;
    if (turns_ == 0 && !isLong) {
        ++next_.log;
        return;
    }
    if (turns_ > 0) {  // the one that was long enough warmed up
        double& fastest = fastest_[next_.overlaps ? 1 : 0];
        const double its = ns / static_cast<double>(cycles);
        if (fastest == 0 || its < fastest) fastest = its;
    }
    next_.overlaps = !next_.overlaps;
    if (turns_++ < target::kOverlapTurns) return;
    next_.isLast = true;
    next_.overlaps = fastest_[1] < fastest_[0] * target::kOverlapGain;
}

}  // namespace sme
