#pragma once

#include <atomic>
#include <cstdint>

namespace sme {

enum class WaitMode : std::uint8_t { Spin, Yield, Block, Adaptive };

/// The kernel's wait: sleeps while `word` holds `value`. May wake without a reason. Orders nothing; callers load `word` again with
/// the order they need.
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

/// How one thread waits for a word to change, and what it learned about its waits. One per thread; not shared.
///
/// Adaptive: spins while its budget lasts, then sleeps. A sleep that spinning a little longer would have saved raises the
/// budget, one that was long lowers it, a successful spin raises it slowly. With more threads than processors the budget stays
/// small: the partner needs this processor.
class Waiter {
public:
    Waiter(WaitMode mode, bool oversubscribed);

    /// Returns the new value, loaded with acquire. Whoever changes the word stores with seq_cst, then loads `sleepers` with
    /// seq_cst and wakes if it is not 0.
    std::uint32_t whileEquals(std::atomic<std::uint32_t>& word, std::uint32_t old,
                              std::atomic<std::uint32_t>& sleepers);

private:
    std::uint32_t sleep(std::atomic<std::uint32_t>& word, std::uint32_t old,
                        std::atomic<std::uint32_t>& sleepers);
    std::uint32_t learnFromSleep(std::atomic<std::uint32_t>& word, std::uint32_t old,
                                 std::atomic<std::uint32_t>& sleepers);

    WaitMode mode_;
    std::uint32_t budget_ = 0;  ///< rounds of the spin loop
    std::uint32_t least_ = 0;
    std::uint32_t most_ = 0;
    std::int64_t mostNs_ = 0;
};

}  // namespace sme
