#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/residence.h"
#include "schedule/scheduling.h"

namespace sme {

/// Cycles [start, start + count).
struct ScheduleRange {
    std::uint64_t start;
    std::uint64_t count;
};

/// How a run computes and how its work is dealt to threads.
struct RunOptions {
    std::uint64_t seed = 0;
    std::uint64_t loopLimit = 1'000'000'000;

    unsigned threads = 0;    ///< 0: auto
    unsigned ranksHere = 1;  ///< that share the processors with this run, itself included
    unsigned rankHere = 0;   ///< which one of them this is
    const Residence* residence = nullptr;  ///< what a rank holds; null: everything
    /// The design with the work of all ranks, for who looks at what collect() brought; null: the model
    /// has it.
    const Model* whole = nullptr;
    Scheduling scheduling;
    bool hasChunk = false;                ///< --chunk was given; else the model's default
    bool hasQueues = false;               ///< --queues was given
    std::uint64_t adapt = 0;              ///< cycles of a window; 0: the plan stays
    std::string costs;                    ///< file of measured times
    std::vector<std::string> ownThreads;  ///< globs for processes with a thread of their own
    bool oversubscribe = false;           ///< start all threads, also beyond the processors
};

}  // namespace sme
