#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "output/log.h"
#include "schedule/between.h"
#include "schedule/orchestrate.h"
#include "schedule/plan.h"
#include "schedule/recorder.h"
#include "schedule/scheduling.h"

namespace sme {

/// A running thread and what belongs to it alone.
struct alignas(64) Worker {
    Worker(const Model& model, const InstanceIndex& index, const Setup& setup, unsigned number)
        : own{&setup, setup.model->constants, &log, nullptr},
          log(model, index),
          thread(number),
          random(number + 1) {}

    Thread own;
    Slots slots{};
    ThreadLog log;
    const unsigned thread;
    Recorder* recorder = nullptr;      ///< null: nothing is recorded
    Between* between = nullptr;        ///< null: nothing is looked after
    bool timesIdle = false;            ///< whether `searched` is measured in this cycle
    std::uint64_t searched = 0;        ///< m3: ticks without work that were not spent at a barrier
    std::uint64_t random;              ///< state of a generator (xorshift), never 0
    unsigned victim = 0;               ///< m3: the queue that was stolen from last
    std::vector<std::uint32_t> order;  ///< m3: memory for the search

    std::uint64_t nextRandom() {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return random;
    }
};

/// Places where threads meet what others do. Tests of the scheduler are built with
/// SME_RANDOM_DELAYS, which lets threads lose time there.
#ifdef SME_RANDOM_DELAYS
void schedulingPoint(Worker& worker);
#else
inline void schedulingPoint(Worker&) {}
#endif

/// Who runs which work in a cycle. One object is shared by all threads of a simulation; it is built
/// between runs.
class Schedule {
public:
    virtual ~Schedule() = default;
    /// Thread 0, once a cycle, before its own work of that cycle.
    virtual void beginCycle(std::uint64_t) {}
    /// Each running thread: runs what falls to it at `level`; returns when nothing is left for it
    /// there. The caller puts a barrier between levels and between cycles.
    virtual void runLevel(Worker& worker, std::uint32_t level) = 0;
    /// All units of a level as they are cut, in the order of the list or of the threads.
    virtual std::vector<Unit> unitsOf(std::uint32_t level) const = 0;
};

/// Who there is to do the work.
struct Crew {
    unsigned shares = 1;   ///< threads that the plan is for
    unsigned running = 1;  ///< threads that run; each has several shares where there are more
    unsigned groups = 1;   ///< of running threads; thread t belongs to group t * groups / running

    unsigned groupOf(unsigned thread) const { return thread * groups / running; }
};

/// The pieces of each level in the order of the list, with what they cost. Empty: not known.
using Times = std::vector<std::vector<Piece>>;

struct ScheduleInput {
    const Model& model;
    Scheduling scheduling;
    Crew crew;
    const Times& times;
    const std::vector<bool>& isApart;  ///< works with a thread of their own, left out here
};

std::unique_ptr<Schedule> makeStatic(const ScheduleInput& input);
std::unique_ptr<Schedule> makeSchedule(const ScheduleInput& input);
/// Model m2 with every piece a unit of its own, so that each can be measured.
std::unique_ptr<Schedule> makePieces(const ScheduleInput& input);
/// The units of a schedule one after the other on one thread, without anything that coordinates
/// threads.
std::unique_ptr<Schedule> makeElided(const Schedule& schedule, std::uint32_t levels);

/// Who gets which pieces of a level, as `scheduling.orchestrate` says.
Deal dealPieces(const Model& model, const Scheduling& scheduling, const std::vector<Piece>& pieces,
                unsigned threads);

void recordUnits(Worker& worker, const Unit* begin, const Unit* end);
void runUnitsLooking(Worker& worker, const Unit* begin, const Unit* end);

inline void runUnits(Worker& worker, const Unit* begin, const Unit* end) {
    if (worker.recorder) [[unlikely]]
        return recordUnits(worker, begin, end);
    if (worker.between && worker.between->isWanted()) [[unlikely]]
        return runUnitsLooking(worker, begin, end);
    for (const Unit* unit = begin; unit != end; ++unit)
        unit->entry.run(worker.own, worker.slots, unit->begin, unit->end);
}

}  // namespace sme
