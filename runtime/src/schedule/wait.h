#pragma once

#include <atomic>
#include <cstdint>

#include "schedule/wait_policy.h"

namespace sme {

enum class WaitMode : std::uint8_t { Spin, Yield, Block, Adaptive };

/// The kernel's wait: sleeps while `word` holds `value`. May wake without a reason. Orders nothing;
/// callers load `word` again with the order they need.
/// `isAcross`: the word is in memory that processes share.
void futexWait(std::atomic<std::uint32_t>& word, std::uint32_t value, bool isAcross = false);
void futexWakeAll(std::atomic<std::uint32_t>& word, bool isAcross = false);

/// Tells the processor that this is a waiting loop.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield" ::: "memory");
#endif
}

/// How the threads of a barrier wait, which thread 0 decides: --wait adaptive.
class SharedWait {
public:
    explicit SharedWait(bool oversubscribed);

    // relaxed: a choice that costs time when it is made late, and nothing is handed over with it
    bool spins() const { return spins_.load(std::memory_order_relaxed); }
    void noteVainSpin() { vain_.fetch_add(1, std::memory_order_relaxed); }
    /// Thread 0, after each phase.
    void passed() {
        if (policy_.spins() && vain_.load(std::memory_order_relaxed) == seenVain_) [[likely]]
            return policy_.spun();
        decide();
    }

private:
    void decide();

    alignas(64) std::atomic<bool> spins_{true};
    std::atomic<std::uint32_t> vain_{0};
    alignas(64) WaitPolicy policy_;  ///< thread 0 alone, as what follows
    std::uint32_t seenVain_ = 0;
};

/// How one thread waits for a word to change. One per thread; not shared.
///
/// Adaptive: spins for about as long as a sleep costs, then sleeps, or sleeps at once: SharedWait
/// tells. With more threads than processors it lets others run in place of spinning.
class Waiter {
public:
    /// `shared` outlives it. `isAcross`: for words in memory that processes share.
    Waiter(WaitMode mode, bool oversubscribed, SharedWait& shared, bool isAcross = false);

    /// Whether thread 0 has something to decide.
    bool isAdaptive() const { return mode_ == WaitMode::Adaptive; }

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
    std::uint32_t spinAWhile(const std::atomic<std::uint32_t>& word, std::uint32_t old);
    std::uint32_t yieldAWhile(const std::atomic<std::uint32_t>& word, std::uint32_t old);
    std::uint32_t sleep(std::atomic<std::uint32_t>& word, std::uint32_t old,
                        std::atomic<std::uint32_t>& sleepers);

    WaitMode mode_;
    bool oversubscribed_;
    bool isAcross_;
    bool isTimed_ = false;
    std::uint64_t waited_ = 0;
    std::uint32_t spinRounds_ = 0;  ///< rounds of the spin loop before a sleep
    SharedWait& shared_;
};

}  // namespace sme
