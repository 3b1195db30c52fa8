#include "schedule/wait.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

#include "schedule/machine.h"
#include "schedule/recorder.h"
#include "schedule/target.h"

namespace sme {
namespace {

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

/// Rounds of endless spinning, after which tests of the scheduler let others run: with more threads than
/// processors, whoever is waited for gets one only when a time slice is over. 0: never.
#ifdef SME_RANDOM_DELAYS
constexpr unsigned kYieldsAfter = 256;
#else
constexpr unsigned kYieldsAfter = 0;
#endif

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) {
    return syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

}  // namespace

void futexWait(std::atomic<std::uint32_t>& word, std::uint32_t value, bool isAcross) {
    futex(word, isAcross ? FUTEX_WAIT : FUTEX_WAIT_PRIVATE, value);
}

void futexWakeAll(std::atomic<std::uint32_t>& word, bool isAcross) {
    futex(word, isAcross ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE, INT_MAX);
}

SharedWait::SharedWait(bool oversubscribed) : policy_(nowNs(), oversubscribed) {}

void SharedWait::decide() {
    const std::uint32_t vain = vain_.load(std::memory_order_relaxed);
    if (!policy_.spins())
        policy_.slept(nowNs());
    else
        policy_.spunInVain(nowNs());
    seenVain_ = vain;
    if (policy_.spins() != spins()) spins_.store(policy_.spins(), std::memory_order_relaxed);
}

Waiter::Waiter(WaitMode mode, bool oversubscribed, SharedWait& shared, bool isAcross)
    : mode_(mode), oversubscribed_(oversubscribed), isAcross_(isAcross), shared_(shared) {
    if (mode_ != WaitMode::Adaptive) return;
    spinRounds_ = static_cast<std::uint32_t>(target::kSpinNs / spinRoundNs()) + 1;
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
        for (unsigned round = 1; value == old; ++round) {
            relax();
            if (kYieldsAfter != 0 && round % kYieldsAfter == 0) sched_yield();
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
    if (!shared_.spins()) return value != old ? value : sleep(word, old, sleepers);
    if (value == old) value = oversubscribed_ ? yieldAWhile(word, old) : spinAWhile(word, old);
    return value != old ? value : sleep(word, old, sleepers);
}

std::uint32_t Waiter::spinAWhile(const std::atomic<std::uint32_t>& word, std::uint32_t old) {
    std::uint32_t value = old;
    for (std::uint32_t round = spinRounds_; value == old && round > 0; --round) {
        relax();
        value = word.load(std::memory_order_acquire);
    }
    if (value == old) shared_.noteVainSpin();
    return value;
}

/// Whoever is let run may keep the processor for a time slice: that is in vain, even where the word has
/// changed since.
std::uint32_t Waiter::yieldAWhile(const std::atomic<std::uint32_t>& word, std::uint32_t old) {
    const std::int64_t end = nowNs() + target::kYieldNs;
    std::uint32_t value = old;
    bool isLate = false;
    while (value == old && !isLate) {
        sched_yield();
        value = word.load(std::memory_order_acquire);
        isLate = nowNs() >= end;
    }
    if (isLate) shared_.noteVainSpin();
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
        futexWait(word, old, isAcross_);
    // relaxed: an old count only costs the changer a wake-up that nobody needs
    sleepers.fetch_sub(1, std::memory_order_relaxed);
    return value;
}

}  // namespace sme
