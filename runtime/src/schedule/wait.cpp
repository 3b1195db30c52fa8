#include "schedule/wait.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

#include "schedule/machine.h"
#include "schedule/recorder.h"

namespace sme {
namespace {

constexpr std::int64_t kSpinNs = 50'000;     // a sleep and its wake-up cost 5 to 25 us
constexpr std::uint32_t kFewestSleeps = 32;  // of a trial
constexpr std::uint32_t kMostSleeps = 16'384;
constexpr std::uint32_t kMostVainSpins = 64;

/// Nanoseconds of one round of the spin loop; a pause takes 1 to 50 ns, depending on the processor.
double spinRoundNs() {
    constexpr int kRounds = 50;
    std::int64_t best =
        INT64_MAX;  // of several, for this thread may lose the processor in the middle of one
    for (int attempt = 0; attempt < 4; ++attempt) {
        const std::int64_t start = nowNs();
        for (int i = 0; i < kRounds; ++i)
            relax();
        best = std::min(best, nowNs() - start);
    }
    return std::max(0.3, static_cast<double>(best) / kRounds);
}

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) {
    return syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

}  // namespace

void futexWait(std::atomic<std::uint32_t>& word, std::uint32_t value) {
    futex(word, FUTEX_WAIT_PRIVATE, value);
}

void futexWakeAll(std::atomic<std::uint32_t>& word) { futex(word, FUTEX_WAKE_PRIVATE, INT_MAX); }

Waiter::Waiter(WaitMode mode, bool oversubscribed)
    : mode_(mode == WaitMode::Adaptive && oversubscribed ? WaitMode::Block : mode) {
    if (mode_ != WaitMode::Adaptive) return;
    spinRounds_ = static_cast<std::uint32_t>(kSpinNs / spinRoundNs()) + 1;
    phaseStart_ = nowNs();
}

std::uint32_t Waiter::whileEquals(std::atomic<std::uint32_t>& word, std::uint32_t old,
                                  std::atomic<std::uint32_t>& sleepers) {
    // relaxed: wait() loads it again
    const bool isThere = !isTimed_ || word.load(std::memory_order_relaxed) != old;
    if (isThere) [[likely]]
        return wait(word, old, sleepers);
    const std::uint64_t start = ticks();
    const std::uint32_t value = wait(word, old, sleepers);
    waited_ += ticks() - start;
    return value;
}

std::uint32_t Waiter::wait(std::atomic<std::uint32_t>& word, std::uint32_t old,
                           std::atomic<std::uint32_t>& sleepers) {
    // acquire throughout: pairs with the store of the thread that changed the word, so that all it
    // saw and did is visible here
    std::uint32_t value = word.load(std::memory_order_acquire);
    switch (mode_) {
    case WaitMode::Spin:
        while (value == old) {
            relax();
            value = word.load(std::memory_order_acquire);
        }
        return value;
    case WaitMode::Yield:
        while (value == old) {
            sched_yield();
            value = word.load(std::memory_order_acquire);
        }
        return value;
    case WaitMode::Block: return value != old ? value : sleep(word, old, sleepers);
    case WaitMode::Adaptive: break;
    }
    if (sleepsLeft_ > 0) {
        if (value == old) value = sleep(word, old, sleepers);
        if (--sleepsLeft_ == 0) endOfSleeps();
        return value;
    }
    ++spins_;
    for (std::uint32_t round = spinRounds_; value == old && round > 0; --round) {
        relax();
        value = word.load(std::memory_order_acquire);
    }
    if (value != old) return value;
    value = sleep(word, old, sleepers);
    learnFromVainSpin();
    return value;
}

std::uint32_t Waiter::sleep(std::atomic<std::uint32_t>& word, std::uint32_t old,
                            std::atomic<std::uint32_t>& sleepers) {
    // seq_cst on both sides (see the header): either the changer sees this sleeper, or the load
    // below sees the change. The kernel checks the word once more, so that a change between the
    // load and the sleep is not missed.
    sleepers.fetch_add(1, std::memory_order_seq_cst);
    std::uint32_t value;
    while ((value = word.load(std::memory_order_seq_cst)) == old)
        futexWait(word, old);
    // relaxed: an old count only costs the changer a wake-up that nobody needs
    sleepers.fetch_sub(1, std::memory_order_relaxed);
    return value;
}

void Waiter::learnFromVainSpin() {
    if (++vainSpins_ < vainSpinsBeforeTrial_) return;
    const std::int64_t now = nowNs();
    spinNs_ = static_cast<double>(now - phaseStart_) / spins_;
    sleeps_ = sleepsLeft_ = kFewestSleeps;
    phaseStart_ = now;
}

void Waiter::endOfSleeps() {
    const std::int64_t now = nowNs();
    const bool isBetter = static_cast<double>(now - phaseStart_) / sleeps_ < 0.8 * spinNs_;
    phaseStart_ = now;
    if (isBetter && sleeps_ < sleepsBeforeSpins_) {
        sleepsLeft_ = sleeps_ *= 2;
        return;
    }
    sleepsBeforeSpins_ = isBetter ? std::min(2 * sleepsBeforeSpins_, kMostSleeps) : kFewestSleeps;
    vainSpinsBeforeTrial_ = isBetter ? 1 : std::min(2 * vainSpinsBeforeTrial_, kMostVainSpins);
    spins_ = vainSpins_ = 0;
}

}  // namespace sme
