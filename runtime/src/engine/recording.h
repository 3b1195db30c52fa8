#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "schedule/barrier.h"
#include "schedule/recorder.h"
#include "schedule/schedule.h"

namespace sme {

/// What the threads of an engine are watched for: what they run and wait for, event by event, and
/// how long they are idle. Set and asked between runs; stays asked when there are other threads.
class Recording {
public:
    using Team = std::vector<std::unique_ptr<Worker>>;

    /// Watches these threads from now on. They and the barrier outlive their watching.
    void attach(const Team& team, Barrier& barrier);

    /// From the next run on every thread keeps its last `capacity` events; 0 ends that.
    void keepEvents(std::size_t capacity);
    /// Of each thread, in order.
    std::vector<std::vector<Event>> events() const;
    bool isOn() const { return capacity_ > 0 || idleEvery_ > 0; }
    /// Whether some thread had more events than it could keep.
    bool lostEvents() const;

    /// From the next run on the time that threads wait is measured, in one cycle of
    /// `everyCycles`, a power of two; 0 ends that. Starts from 0.
    void timeIdle(std::uint64_t everyCycles);
    /// Ticks that each thread waited or looked for work in the cycles that were looked at, times
    /// `everyCycles`.
    std::vector<std::uint64_t> idleTicks() const;

    /// Each thread, before its share of a cycle.
    void beginCycle(Worker& worker, std::uint64_t cycle) const {
        if (idleEvery_ == 0) return;
        worker.timesIdle = (cycle & (idleEvery_ - 1)) == idleEvery_ / 2;
        barrier_->timeWaits(worker.thread, worker.timesIdle);
    }

private:
    const Team* team_ = nullptr;
    Barrier* barrier_ = nullptr;
    std::vector<std::unique_ptr<Recorder>> recorders_;
    std::size_t capacity_ = 0;
    std::uint64_t idleEvery_ = 0;
    std::vector<std::uint64_t> idleBefore_;  ///< by thread: what the barrier had measured already
};

}  // namespace sme
