#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "schedule/wait.h"

namespace sme {

/// A barrier for a fixed set of threads that also agrees on flags: every thread gets the same union
/// of what all gave.
///
/// A counter of arrivals; the last thread publishes one word that carries the number of the phase
/// and the union. A word is valid until the last thread has arrived at the next phase, so nobody
/// can be too late to read it and cycles cannot mix. What a thread did before arrive() is visible
/// to every thread after it.
///
/// Two threads need no counter: each stores a word of its own and waits for the other's, so that no
/// cache line changes owner more than once. There are two words a thread, by parity of the phase,
/// since a thread may be one phase ahead before the other has read its last word.
class Barrier {
public:
    static constexpr std::uint32_t kFlagMask = 0xFF;

    Barrier(unsigned threads, WaitMode mode, bool oversubscribed);

    /// Waits for all threads. `flags` within kFlagMask.
    std::uint32_t arrive(unsigned thread, std::uint32_t flags);

    /// Whether this thread measures its waits from now on; waited(): ticks so far. A wait that
    /// finds everybody there is not counted.
    void timeWaits(unsigned thread, bool isTimed) { locals_[thread]->waiter.time(isTimed); }
    std::uint64_t waited(unsigned thread) const { return locals_[thread]->waiter.waited(); }

private:
    struct alignas(64) Local {
        Local(WaitMode mode, bool oversubscribed, SharedWait& shared)
            : waiter(mode, oversubscribed, shared) {}
        Waiter waiter;
        std::uint32_t seen = 0;  ///< the last word this thread saw
        // Of two threads:
        std::uint32_t phase = 0;
        std::uint32_t seenOther[2] = {0, 0};             ///< the other's words, as last seen
        alignas(64) std::atomic<std::uint32_t> words[2]  ///< (phase << 8) | flags
            = {0, 0};
        alignas(64) std::atomic<std::uint32_t> sleepers{0};  ///< 1: waits for the other, asleep
    };

    std::uint32_t meetAll(Local& local, std::uint32_t flags);
    std::uint32_t meetOther(Local& self, Local& other, std::uint32_t flags);
    std::uint32_t publish(std::uint32_t seen);

    const std::uint32_t threads_;
    SharedWait shared_;
    std::unique_ptr<std::unique_ptr<Local>[]> locals_;
    alignas(64) std::atomic<std::uint32_t> arrived_{0};
    std::atomic<std::uint32_t> flags_{0};             ///< union of the current phase
    alignas(64) std::atomic<std::uint32_t> word_{0};  ///< (phase << 8) | union of that phase
    alignas(64) std::atomic<std::uint32_t> sleepers_{0};
};

}  // namespace sme
