#include "schedule/wait_policy.h"

#include <algorithm>

namespace sme {
namespace {

constexpr std::uint64_t kTrialSleeps = 32;
constexpr double kClearlyLess = 0.8;
constexpr std::int64_t kHorizonNs = 8'000'000;     // older spins do not count: a few time slices
constexpr std::int64_t kSoonestTryNs = 1'500'000;  // a spin in vain costs 50 us and a sleep
constexpr std::int64_t kLatestTryNs = 1'000'000'000;
constexpr std::int64_t kPartOfCrowd = 8;  // others who were there for 48 ms: a try in 6
constexpr std::uint32_t kMostVain = 64;

}  // namespace

void WaitPolicy::begin(bool spins, std::int64_t now) {
    spins_ = spins;
    isTrial_ = false;
    start_ = now;
    phases_ = 0;
}

void WaitPolicy::fallAsleep(std::int64_t now) {
    // others who come back before they were gone as long as they had been there never left
    const std::int64_t wereThere = crowdEnd_ - crowdStart_;
    if (crowdEnd_ < crowdStart_ || now - crowdEnd_ > std::max(wereThere, kHorizonNs))
        crowdStart_ = now;
    crowdEnd_ = now;
    nextTry_ = now + std::clamp((now - crowdStart_) / kPartOfCrowd, kSoonestTryNs, kLatestTryNs);
    begin(false, now);
}

void WaitPolicy::spunInVain(std::int64_t now) {
    ++phases_;
    ++vain_;
    spinNs_ = perPhase(now);
    if (sleepNs_ > 0 && sleepNs_ < kClearlyLess * spinNs_) return fallAsleep(now);
    if (vain_ >= vainBeforeTrial_) {
        begin(false, now);
        isTrial_ = true;
        vain_ = 0;
    } else if (now - start_ > kHorizonNs) {
        begin(true, now);
    }
}

void WaitPolicy::slept(std::int64_t now) {
    ++phases_;
    if (isTrial_) {
        if (phases_ < kTrialSleeps) return;
        sleepNs_ = perPhase(now);
        const bool isBetter = sleepNs_ < kClearlyLess * spinNs_;
        vainBeforeTrial_ = isBetter ? 1 : std::min(2 * vainBeforeTrial_, kMostVain);
        return isBetter ? fallAsleep(now) : begin(true, now);
    }
    if (now < nextTry_) return;
    sleepNs_ = perPhase(now);
    crowdEnd_ = now;
    begin(true, now);
}

}  // namespace sme
