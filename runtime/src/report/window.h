#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "values/work_names.h"

namespace sme {

/// What the threads did in some cycles of a run.
struct ScheduleWindow {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    unsigned running = 1;                    ///< threads that shared the work
    bool steals = false;                     ///< model m3, with several queues
    bool byGroup = false;                    ///< its queues belong to groups of threads
    std::vector<std::vector<Event>> events;  ///< by thread
    double nsPerTick = 1;
    bool isCut = false;  ///< more happened than was kept: the first cycles are missing
};

/// Runs `count` cycles and records them.
std::uint32_t runWindow(Engine& engine, Observer& observer, std::uint64_t count,
                        ScheduleWindow& window);

/// Who came last to a barrier, and the unit that kept it.
struct LastArrival {
    unsigned thread = 0;
    std::uint64_t arrived = 0;
    const Event* unit = nullptr;
};
/// By cycle and level.
using Barriers = std::map<std::pair<std::uint64_t, std::uint32_t>, LastArrival>;
Barriers lastAtBarriers(const ScheduleWindow& window);

/// The trace event format that Perfetto and chrome://tracing read (JSON): a track for each thread,
/// with the units it ran, its waits and whom it waited for, its searches for work and its thefts.
std::string traceEvents(const Model& model, const ScheduleWindow& window);

/// Tables: what each unit costs, or each work where there are many units; how long each thread was
/// busy and waited, and for whom; the unit that kept the others waiting most often; the balance
/// that the plan expected and the one that was measured.
std::string profileText(const Engine& engine, const ScheduleWindow& window);

/// The decisions of the compiler that leave most work, under a heading; empty: there are none.
std::string refusalsText(const Model& model);

}  // namespace sme
