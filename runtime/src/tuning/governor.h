#pragma once

#include <cstdint>
#include <string>

#include "engine/engine.h"
#include "tuning/target.h"

namespace sme {

/// What a Governor runs, and the clock that it looks at. An interface, so that tests can play a
/// machine.
class Course {
public:
    virtual ~Course() = default;
    virtual std::uint64_t cycle() const = 0;
    /// Returns the CycleFlag bits of the last cycle.
    virtual std::uint32_t run(std::uint64_t until) = 0;
    virtual void use(unsigned threads) = 0;
    /// Monotonic, in nanoseconds.
    virtual std::int64_t now() const = 0;
};

/// The course of a simulation.
class EngineCourse : public Course {
public:
    EngineCourse(Engine& engine, Observer& observer) : engine_(engine), observer_(observer) {}

    std::uint64_t cycle() const override { return engine_.cycle(); }
    std::uint32_t run(std::uint64_t until) override { return engine_.run(until, &observer_); }
    void use(unsigned threads) override;
    std::int64_t now() const override;

private:
    Engine& engine_;
    Observer& observer_;
};

/// --threads auto: runs a simulation and chooses the number of threads by trying. The first cycles
/// run on one thread, then on 2, 4, … up to `most`, each for a few milliseconds, and the fastest
/// goes on. The trial is repeated when the chosen number turns out slower than one thread is
/// (somebody else wants the processors), and now and then, ever more rarely while its result stays
/// the same. All cycles count; the plan never changes results.
///
/// More threads must be better at their best, for others may disturb a trial for a moment, and as a
/// whole, for beside programs that stay they are fast between two time slices alone: two threads
/// beside two busy programs take 0.5 us a cycle of the ring at their best, one 0.8, but as a whole
/// 2 to 4 and 1.2.
class Governor {
public:
    Governor(Course& course, unsigned most) : course_(course), most_(most) {}

    /// Runs up to cycle `until`; returns the CycleFlag bits of the last cycle. May be called again:
    /// what was chosen stays.
    std::uint32_t run(std::uint64_t until);
    /// Why the course has the threads that it has now, for the summary.
    std::string reason() const;

private:
    /// Nanoseconds a cycle.
    struct Speed {
        double best = 0;
        double mean = 0;
    };
    /// Cycles that went by, and their nanoseconds.
    struct Total {
        double cycles = 0;
        double time = 0;
        double mean() const { return time / cycles; }
    };

    void choose();
    Speed withPast(Speed speed) const;
    bool judge(Speed speed);
    void settle();
    void planNext(bool isChanged);
    bool runSlice();
    bool isSlowAsAWhole() const;
    /// Measured only roughly once it is clear that it is more than `hopeless`.
    Speed measure(unsigned threads, double hopeless = 1e300);
    Speed measureLong(std::uint64_t cycles, double best);
    double window(std::uint64_t cycles);
    std::uint64_t cyclesIn(double nanoseconds) const;
    bool over() const { return ended_ != 0 || course_.cycle() >= until_; }

    Course& course_;
    const unsigned most_;
    std::uint64_t until_ = 0;
    std::uint32_t ended_ = 0;
    std::int64_t started_ = 0;          ///< when the first cycle ran; 0: none did
    unsigned trying_ = 0;               ///< threads that a trial is at; 0: there is none
    unsigned chosen_ = 1;               ///< by it, so far
    unsigned settled_ = 0;              ///< by the last whole trial; 0: there was none
    Speed best_;                        ///< of the chosen number
    std::int64_t trialNs_ = 0;          ///< what the trial at hand took, without pauses
    std::int64_t interval_ = 0;         ///< until the next trial
    std::int64_t next_ = 0;             ///< when it is
    bool isDue_ = false;                ///< the trial at hand: it was time for it
    int patience_ = target::kPatience;  ///< for slices slower than one thread
    int slow_ = 0;                      ///< such slices in a row
    int regrets_ = 0;                   ///< choices of more threads that were soon taken back
    double cycleNs_ = 0;                ///< as measured last
    Speed alone_;                       ///< on one thread, in the last trial
    Total sinceTrial_;                  ///< on the settled number
    unsigned changes_ = 0;
    std::string reason_;
};

}  // namespace sme
