#include "schedule/wait_policy.h"

#include <algorithm>

#include "schedule/target.h"

namespace sme {

void WaitPolicy::begin(bool spins, std::int64_t now) {
    spins_ = spins;
    isTrial_ = false;
    start_ = now;
    phases_ = 0;
}

void WaitPolicy::fallAsleep(std::int64_t now) {
    // others who come back before they were gone as long as they had been there never left
    const std::int64_t wereThere = crowdEnd_ - crowdStart_;
    if (crowdEnd_ < crowdStart_ || now - crowdEnd_ > std::max(wereThere, target::kHorizonNs))
        crowdStart_ = now;
    crowdEnd_ = now;
    const auto worthIt =
        oversubscribed_ ? static_cast<std::int64_t>(target::kTryShare * spinNs_) : 0;
    const std::int64_t aWhile = std::max((now - crowdStart_) / target::kPartOfCrowd, worthIt);
    nextTry_ = now + std::clamp(aWhile, target::kSoonestTryNs, target::kLatestTryNs);
    begin(false, now);
}

void WaitPolicy::spunInVain(std::int64_t now) {
    ++phases_;
    ++vain_;
    spinNs_ = perPhase(now);
    if (sleepNs_ > 0 && sleepNs_ < target::kClearlyLess * spinNs_) return fallAsleep(now);
    if (vain_ >= vainBeforeTrial_) {
        begin(false, now);
        isTrial_ = true;
        vain_ = 0;
    } else if (now - start_ > target::kHorizonNs) {
        begin(true, now);
    }
}

void WaitPolicy::slept(std::int64_t now) {
    ++phases_;
    if (isTrial_) {
        if (phases_ < target::kTrialSleeps) return;
        sleepNs_ = perPhase(now);
        const bool isBetter = sleepNs_ < target::kClearlyLess * spinNs_;
        vainBeforeTrial_ = isBetter ? 1 : std::min(2 * vainBeforeTrial_, target::kMostVain);
        return isBetter ? fallAsleep(now) : begin(true, now);
    }
    if (now < nextTry_) return;
    sleepNs_ = perPhase(now);
    crowdEnd_ = now;
    begin(true, now);
}

}  // namespace sme
