#pragma once

#include <atomic>
#include <cstdint>

namespace sme {

enum class WaitMode : std::uint8_t { Spin, Yield, Block, Adaptive };

/// The kernel's wait: sleeps while `word` holds `value`. May wake without a reason. Orders nothing;
/// callers load `word` again with the order they need.
void futexWait(std::atomic<std::uint32_t>& word, std::uint32_t value);
void futexWakeAll(std::atomic<std::uint32_t>& word);

/// Tells the processor that this is a waiting loop.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield" ::: "memory");
#endif
}

/// How one thread waits for a word to change, and what it learned about its waits. One per thread;
/// not shared.
///
/// Adaptive: spins for about as long as a sleep costs, then sleeps. A spin in vain mostly means
/// that the partner lost its processor. Where other programs want the processors, spinning makes
/// things worse: whoever spins has used up its time slice when it could go on, while the system
/// lets threads that sleep much run at once. (Two threads beside 15 compilers on two processors: 28
/// to 160 us a cycle spinning, 11 sleeping.) Where a hypervisor stopped the partner for a moment,
/// sleeping only costs. So after spins in vain some waits sleep at once, on trial: what a wait and
/// the work before it took then is compared with what they took before. Sleeping that was better
/// goes on, for longer each time; after a trial that was not, more spins in vain must come before
/// the next. With more threads than processors all waits sleep.
class Waiter {
public:
    Waiter(WaitMode mode, bool oversubscribed);

    /// Returns the new value, loaded with acquire. Whoever changes the word stores with seq_cst,
    /// then loads `sleepers` with seq_cst and wakes if it is not 0.
    std::uint32_t whileEquals(std::atomic<std::uint32_t>& word, std::uint32_t old,
                              std::atomic<std::uint32_t>& sleepers);

    /// Whether waits are measured. waited(): ticks() of those that were, but for waits that found
    /// the word changed already.
    void time(bool isTimed) { isTimed_ = isTimed; }
    std::uint64_t waited() const { return waited_; }

private:
    std::uint32_t wait(std::atomic<std::uint32_t>& word, std::uint32_t old,
                       std::atomic<std::uint32_t>& sleepers);
    std::uint32_t sleep(std::atomic<std::uint32_t>& word, std::uint32_t old,
                        std::atomic<std::uint32_t>& sleepers);
    void learnFromVainSpin();
    void endOfSleeps();

    WaitMode mode_;
    bool isTimed_ = false;
    std::uint64_t waited_ = 0;
    std::uint32_t spinRounds_ = 0;            ///< rounds of the spin loop before a sleep
    std::uint32_t spins_ = 0;                 ///< waits of this phase that spun
    std::uint32_t vainSpins_ = 0;             ///< and those that had to sleep after all
    std::uint32_t vainSpinsBeforeTrial_ = 1;  ///< so many of them end the phase
    std::uint32_t sleeps_ = 0;                ///< waits of this phase that sleep at once
    std::uint32_t sleepsLeft_ = 0;
    std::uint32_t sleepsBeforeSpins_ = 32;  ///< such a phase is the last before spinning is tried
    std::int64_t phaseStart_ = 0;           ///< time, ns
    double spinNs_ = 0;                     ///< of a wait, and the work before it, when spinning
};

}  // namespace sme
