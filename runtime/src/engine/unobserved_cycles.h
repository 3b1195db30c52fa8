#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/arena.h"
#include "schedule/schedule.h"
#include "sme/model.h"

namespace sme {

/// How many cycles are run at once that nobody observes.
///
/// Where something may happen in them, memory is copied in front of such a stretch. When it does, what
/// had run of the stretch was in vain: memory is put back, these cycles run once more, and the
/// one in which it happens is observed. A stretch is therefore short beside what has passed without
/// an event, but long beside the copy; what is in vain stays a small part of all cycles.
class StretchPace {
public:
    /// `cost` of a cycle, in additions; `bytes` that are copied.
    StretchPace(double cost, bool mayEnd, std::uint64_t bytes);

    /// Cycles of the next stretch, `most` or fewer; 0: cycles are observed.
    std::uint64_t next(std::uint64_t most) const;
    /// How many are observed until it is worth to ask again, where next(most) is 0.
    std::uint64_t rest(std::uint64_t most) const;
    /// So many have run, and nothing happened.
    void passed(std::uint64_t cycles) {
        all_ += cycles;
        since_ += cycles;
    }
    /// Something happened behind the first `cycles` of a stretch.
    void broke(std::uint64_t cycles);
    /// Memory cannot be copied.
    void giveUp() { isHopeless_ = true; }

private:
    bool mayEnd_;
    bool isHopeless_ = false;
    std::uint64_t least_ = 1;  ///< so many are worth a copy
    std::uint64_t most_;
    std::uint64_t copy_ = 0;   ///< so many take as long as a copy
    std::uint64_t all_ = 0;    ///< cycles that ran
    std::uint64_t vain_ = 0;   ///< of these, or as long as them
    std::uint64_t since_ = 0;  ///< cycles that ran since something happened
};

/// Runs the cycles that nobody observes of a design that one work is all of. Thread 0 calls.
class UnobservedCycles {
public:
    /// All of it outlives the object. The work has such cycles, and is of that group.
    UnobservedCycles(const Model& model, ClockGroup group, Arena& arena);

    bool mayEnd() const { return work_.mayEnd; }
    /// Cycles from `cycle` to `end` at most. Returns the next one, which has to be observed, or may
    /// as well be, as those behind it before askAt(). `request`: not 0 ends it soon; null: nobody asks. `shown`: takes the cycle now and
    /// then; null: nobody looks.
    std::uint64_t run(Worker& worker, std::uint64_t cycle, std::uint64_t end,
                      const std::atomic<std::uint32_t>* request, std::atomic<std::uint64_t>* shown);
    /// The first cycle for which run() is worth a call.
    std::uint64_t askAt() const { return askAt_; }
    /// A run begins in `cycle`, which is observed.
    void begin(std::uint64_t cycle) {
        counted_ = cycle;
        askAt_ = cycle + 1;
    }
    /// The cycle that the worker has entered, of a design in which nothing may happen.
    void runOne(Worker& worker);
    /// Before an observed cycle: memory is as if those before had been.
    void settle(std::uint64_t cycle) {
        if (!isSettled_) work_.settle(arena_.slots(cycle, group_).read, arena_.state());
        isSettled_ = true;
    }

private:
    std::uint64_t stretch(Worker& worker, std::uint64_t cycle, std::uint64_t most);
    std::uint64_t runCycles(Worker& worker, const Slots& first, std::uint64_t most) const;
    bool keep();

    const Unobserved& work_;
    const ClockGroup group_;  ///< all of the work is of one
    Arena& arena_;
    StretchPace pace_;
    std::vector<std::byte> kept_;  ///< memory in front of a stretch
    bool isSettled_ = true;
    std::uint64_t counted_ = 0;  ///< the first cycle of which pace_ does not know
    std::uint64_t askAt_ = 0;
};

}  // namespace sme
