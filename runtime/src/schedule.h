#pragma once

#include <cstdint>
#include <memory>

#include "plan.h"

namespace sme {

/// Who runs which work in a cycle. One object is shared by all threads of a simulation; it is built
/// between runs.
class Schedule {
public:
    virtual ~Schedule() = default;
    /// Thread 0, once a cycle, before its own work of that cycle.
    virtual void beginCycle(std::uint64_t cycle) = 0;
    /// Any thread: runs what falls to `share` at `level`; returns when nothing is left for it
    /// there. The caller puts a barrier between levels and between cycles.
    virtual void runLevel(const Context& context, unsigned share, std::uint32_t level) = 0;
};

/// Model m1: a shared list of chunks per level, taken by whoever is free.
std::unique_ptr<Schedule> makeWorkList(const Model& model, unsigned threads, ChunkScheme scheme);
/// Model m2: every share is a slice of its own.
std::unique_ptr<Schedule> makeStatic(const Model& model, unsigned threads, Orchestrate how);

inline void runUnits(const Context& context, const Unit* begin, const Unit* end) {
    for (const Unit* unit = begin; unit != end; ++unit)
        unit->kernel(context, unit->begin, unit->end);
}

}  // namespace sme
