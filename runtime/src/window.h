#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine.h"

namespace sme {

/// What the threads did in some cycles of a run.
struct ScheduleWindow {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    unsigned running = 1;                    ///< threads that shared the work
    std::vector<std::vector<Event>> events;  ///< by thread
    double nsPerTick = 1;
    bool isCut = false;  ///< more happened than was kept: the first cycles are missing
};

/// Runs `count` cycles and records them.
std::uint32_t runWindow(Engine& engine, Observer& observer, std::uint64_t count,
                        ScheduleWindow& window);

/// The trace event format that Perfetto and chrome://tracing read (JSON): a track for each thread,
/// with the units it ran, its waits and whom it waited for, and its searches for work.
std::string traceEvents(const Model& model, const ScheduleWindow& window);

/// Tables: what each process costs; how long each thread was busy and waited, and for whom; the
/// longest unit; the balance that the plan expected and the one that was measured.
std::string profileText(const Engine& engine, const ScheduleWindow& window);

}  // namespace sme
