#pragma once

#include <cstdint>

namespace sme {

/// Whether the threads of a barrier spin before they sleep, or sleep at once: --wait adaptive,
/// without clock and threads, so that tests can play a machine. Times are nanoseconds of any
/// monotonic clock. One for all threads of a barrier: one that spins for another to wake up uses up
/// its own share of the processor.
///
/// A spin in vain mostly means that the partner lost its processor. Where other programs want the
/// processors, spinning makes things worse: whoever spins has used up its time slice when it could
/// go on, while the system lets threads that sleep much run at once. (Two threads beside 15
/// compilers on two processors: 28 to 160 us a cycle spinning, 11 sleeping.) Where others were
/// there for a moment, sleeping only costs: 20 us a cycle instead of 0.5.
///
/// So what a phase of the barrier takes is measured in either way. Spinning goes on until a spin in
/// vain shows that sleeping takes less. Then all sleep, and try to spin after a
/// part of the time that the others have been there: 50 ms of them are forgotten in 5 ms, and the
/// tries come to a few percent however long they stay. A try ends with the first spin in vain
/// unless it was worth it all the same. With more threads than processors "spinning" lets others run,
/// and a try beside programs that take what they get costs time slices: the next one is later.
class WaitPolicy {
public:
    explicit WaitPolicy(std::int64_t now, bool oversubscribed = false)
        : oversubscribed_(oversubscribed), start_(now) {}

    bool spins() const { return spins_; }

    // After each phase, what became of it:

    /// Whoever waited spun until all were there.
    void spun() { ++phases_; }
    /// Somebody spun and had to sleep after all; over at `now`.
    void spunInVain(std::int64_t now);
    /// Whoever waited slept; over at `now`.
    void slept(std::int64_t now);

private:
    double perPhase(std::int64_t now) const {
        return static_cast<double>(now - start_) / static_cast<double>(phases_);
    }
    void begin(bool spins, std::int64_t now);
    void fallAsleep(std::int64_t now);

    bool oversubscribed_;
    bool spins_ = true;
    bool isTrial_ = false;               ///< the sleeps of now only show what sleeping takes
    std::int64_t start_;                 ///< of what is measured now
    std::uint64_t phases_ = 0;           ///< since then
    double spinNs_ = 0;                  ///< a phase, spinning
    double sleepNs_ = 0;                 ///< the same asleep, as measured last; 0: not yet
    std::int64_t crowdStart_ = 0;        ///< when others came
    std::int64_t crowdEnd_ = -1;         ///< when they were last seen; before crowdStart_: never
    std::int64_t nextTry_ = 0;           ///< asleep: when to spin again
    std::uint32_t vainBeforeTrial_ = 1;  ///< spins in vain that start the next trial
    std::uint32_t vain_ = 0;             ///< since the last trial
};

}  // namespace sme
