#pragma once

#include <cstdint>
#include <string>

#include "engine/engine.h"
#include "tuning/target.h"

namespace sme {

/// --threads auto: runs a simulation and chooses the number of threads by trying. The first cycles
/// run on one thread, then on 2, 4, … up to `most`, each for a few milliseconds, and the fastest
/// goes on. The trial is repeated when the chosen number turns out slower than one thread was
/// (somebody else wants the processors), and now and then, ever more rarely while its result stays
/// the same. All cycles count; the plan never changes results.
class Governor {
public:
    Governor(Engine& engine, Observer& observer, unsigned most)
        : engine_(engine), observer_(observer), most_(most) {}

    /// Runs up to cycle `until`; returns the CycleFlag bits of the last cycle. May be called again:
    /// what was chosen stays.
    std::uint32_t run(std::uint64_t until);
    /// Why the engine has the threads that it has now, for the summary.
    std::string reason() const;

private:
    void choose();
    bool judge(double time);
    void settle();
    bool runSlice();
    /// Nanoseconds per cycle; measured only roughly once it is clear that it is more than
    /// `hopeless`.
    double measure(unsigned threads, double hopeless = 1e300);
    double window(std::uint64_t cycles);
    std::uint64_t cyclesIn(double nanoseconds) const;
    bool over() const { return ended_ != 0 || engine_.cycle() >= until_; }
    void use(unsigned threads);

    Engine& engine_;
    Observer& observer_;
    const unsigned most_;
    std::uint64_t until_ = 0;
    std::uint32_t ended_ = 0;
    std::int64_t started_ = 0;          ///< when the first cycle ran; 0: none did
    unsigned trying_ = 0;               ///< threads that a trial is at; 0: there is none
    unsigned chosen_ = 1;               ///< by it, so far
    unsigned settled_ = 0;              ///< by the last whole trial; 0: there was none
    double best_ = 0;                   ///< a cycle on the chosen number
    std::int64_t trialNs_ = 0;          ///< what the trial at hand took, without pauses
    std::int64_t interval_ = 0;         ///< until the next trial
    std::int64_t next_ = 0;             ///< when it is
    bool isDue_ = false;                ///< the trial at hand: it was time for it
    int patience_ = target::kPatience;  ///< for slices slower than one thread
    int slow_ = 0;                      ///< such slices in a row
    double cycleNs_ = 0;                ///< as measured last
    double aloneNs_ = 0;                ///< a cycle on one thread, in the last trial
    unsigned changes_ = 0;
    std::string reason_;
};

}  // namespace sme
