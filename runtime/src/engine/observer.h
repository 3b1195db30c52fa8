#pragma once

#include <cstdint>

namespace sme {

/// What thread 0 does beside running processes. Each function returns CycleFlag bits that end the
/// run.
class Observer {
public:
    virtual ~Observer() = default;
    /// Before a run that starts at `cycle` anew, by who starts it: the inputs of this cycle may be
    /// written.
    virtual void begin([[maybe_unused]] std::uint64_t cycle) {}
    /// While `cycle` runs, before this thread's share of it: all that is read in it may be read,
    /// and the inputs of the next cycle written.
    virtual std::uint32_t during(std::uint64_t cycle) = 0;
    /// After `cycle`, while every thread stands still: variables and combinational fields may be
    /// read, too. Costs a barrier.
    virtual std::uint32_t between(std::uint64_t cycle) = 0;
    /// After all that `cycle` had to say is written, unless it ended the run, while every thread
    /// stands still: the inputs of the next one may be waited for, and written. Costs a barrier.
    virtual std::uint32_t after([[maybe_unused]] std::uint64_t cycle) { return 0; }
    /// The first cycle from `cycle` on that it wants to see, or drives the inputs of; ~0: none. Of
    /// those in between it need not be told.
    virtual std::uint64_t nextWanted(std::uint64_t cycle) const { return cycle; }
    bool wantsDuring = false;
    bool wantsBetween = false;
    bool wantsAfter = false;
    /// It writes inputs of files and nothing else, and looks at nothing.
    bool onlyDrives = false;
    /// Cycles may be undone and run once more.
    bool bearsUndo = false;
    /// Between cycles: from the next one on they may be undone. confirm() follows, or undo() when
    /// the memory is again what it was. What would be told meanwhile waits for that, or is told as
    /// kHasOutput, after which they are undone.
    virtual void goAhead() {}
    virtual void confirm() {}
    virtual void undo() {}
};

}  // namespace sme
