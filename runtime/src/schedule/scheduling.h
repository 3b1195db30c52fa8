#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/chunk_rule.h"
#include "schedule/wait.h"

namespace sme {

enum class ModelKind : std::uint8_t {
#define SCHEDULER(NAME, KIND, TAKES, WORDS) KIND,
#include "sme/schedulers.def"
};

/// m2: who gets which part of the list.
enum class Orchestrate : std::uint8_t {
    Even,        ///< one stretch each, of equal static cost
    Thesis,      ///< floor(p / t) process instances each, the remainder to the last thread
    RoundRobin,  ///< the smallest legal pieces in turn
    Profile,     ///< by measured times: longest processing time first, or stretches where as good
    MonteCarlo,  ///< the best of many random orders
    Optimize     ///< local search on the longest thread and what threads send each other
};

/// m3: how many queues there are.
enum class QueueLayout : std::uint8_t { Node, Group, Core };
/// m3: chunks to queues: stretches, or in turn.
enum class Assign : std::uint8_t { Block, Cyclic };
/// m3: whose queue to try when the own one is empty.
enum class Victim : std::uint8_t {
    Sequential,          ///< from the own place on
    SequentialPriority,  ///< the own group first
    Random,              ///< remembering which were empty
    RandomPriority
};
/// Threads to processors. Auto: compact where there is a thread for each processor and no more.
enum class Bind : std::uint8_t { None, Compact, Scatter, Auto };
/// Pages to memory nodes.
enum class Numa : std::uint8_t { FirstTouch, Interleave };

/// How work is dealt to threads. Nothing here changes results.
struct Scheduling {
    ModelKind model = ModelKind::Static;
    ChunkRule chunk;
    Orchestrate orchestrate = Orchestrate::Even;
    /// Profile: cycles of the trial; MonteCarlo: tries. 0: the default.
    std::uint32_t orchestrateParameter = 0;
    QueueLayout queues = QueueLayout::Core;
    unsigned groups = 0;  ///< groups of threads; 0: those that share a last-level cache
    Assign assign = Assign::Block;
    bool prepartition = false;  ///< one part of the list a queue, then chunks inside of each
    Victim victim = Victim::SequentialPriority;
    bool stealHalf = true;  ///< or one chunk at a time
    bool foreman = false;   ///< only one thread a group steals, for its group
    WaitMode wait = WaitMode::Adaptive;
    Bind bind = Bind::None;
    Numa numa = Numa::FirstTouch;
};

/// Whether a plan needs to know how long pieces of work take.
inline bool needsTimes(const Scheduling& scheduling) {
    if (scheduling.model == ModelKind::Static)
        return scheduling.orchestrate == Orchestrate::Profile
               || scheduling.orchestrate == Orchestrate::MonteCarlo
               || scheduling.orchestrate == Orchestrate::Optimize;
    return scheduling.chunk.scheme == ChunkScheme::PerformanceLoop
           && scheduling.chunk.parameter == 0;
}

/// How it is written on the command line: "m1, chunks gss", "m2, slices even", …
std::string describe(const Scheduling& scheduling);

}  // namespace sme
