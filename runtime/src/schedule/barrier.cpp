#include "schedule/barrier.h"
#include "values/parity.h"

namespace sme {

Barrier::Barrier(unsigned threads, WaitMode mode, bool oversubscribed)
    : threads_(threads),
      shared_(oversubscribed),
      locals_(std::make_unique<std::unique_ptr<Local>[]>(threads)) {
    for (unsigned thread = 0; thread < threads; ++thread) {
        locals_[thread] = std::make_unique<Local>(mode, oversubscribed, shared_);
    }
}

std::uint32_t Barrier::arrive(unsigned thread, std::uint32_t flags) {
    Local& local = *locals_[thread];
    flags = threads_ == 2 ? meetOther(local, *locals_[1 - thread], flags) : meetAll(local, flags);
    if (thread == 0 && local.waiter.isAdaptive()) shared_.passed();
    return flags;
}

std::uint32_t Barrier::meetAll(Local& local, std::uint32_t flags) {
    // relaxed: ordered before the arrival below, and read by the last thread only after that
    if (flags != 0) flags_.fetch_or(flags, std::memory_order_relaxed);
    // acq_rel: releases this thread's cycle; the last one acquires everybody's through the chain of
    // these operations
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
        local.seen = publish(local.seen);
    } else {
        local.seen = local.waiter.whileEquals(word_, local.seen, sleepers_);
    }
    return local.seen & kFlagMask;
}

std::uint32_t Barrier::meetOther(Local& self, Local& other, std::uint32_t flags) {
    const std::uint32_t phase = ++self.phase;
    std::atomic<std::uint32_t>& own = self.words[parityOf(phase)];
    // seq_cst, which includes release (pairs with the acquire in Waiter): the other registers as
    // asleep before the load below, or sees the word
    own.store((phase * (kFlagMask + 1)) | flags, std::memory_order_seq_cst);
    if (other.sleepers.load(std::memory_order_seq_cst) != 0) futexWakeAll(own);
    std::uint32_t& seen = self.seenOther[parityOf(phase)];
    seen = self.waiter.whileEquals(other.words[parityOf(phase)], seen, self.sleepers);
    return (seen & kFlagMask) | flags;
}

std::uint32_t Barrier::publish(std::uint32_t seen) {
    // relaxed: everybody has arrived and touches neither counter nor flags until it sees the word
    // stored below
    const std::uint32_t flags = flags_.load(std::memory_order_relaxed);
    if (flags != 0) flags_.store(0, std::memory_order_relaxed);
    arrived_.store(0, std::memory_order_relaxed);
    const std::uint32_t word = ((seen & ~kFlagMask) + (kFlagMask + 1)) | flags;
    // seq_cst, which includes release (pairs with the acquire in Waiter): no sleeper may register
    // between this store and the load without one of the two noticing. On x86 measured as fast as a
    // plain release store, since the next thing that matters is that the word leaves the store
    // buffer.
    word_.store(word, std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_seq_cst) != 0) futexWakeAll(word_);
    return word;
}

}  // namespace sme
