#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "schedule/schedule.h"

namespace sme {

/// How a plan is carried out.
enum class Form : std::uint8_t {
    Plan,       ///< as it is; one thread runs the whole list in order, without anything atomic
    Scheduled,  ///< the same, but one thread goes through scheduler and barriers, too
    Elided,     ///< all units of the plan on one thread, without scheduler and barriers
    Pieces      ///< every piece of the engine's times a unit of its own, to measure it
};

/// How cycles are run. Nothing here changes what they compute.
struct EngineConfig {
    unsigned threads = 1;  ///< into how many shares the plan deals the work
    /// Threads that really run, each with several shares where there are more; 0: no bound.
    unsigned processors = 0;
    Scheduling scheduling;
    Form form = Form::Plan;
    std::vector<bool> isApart;    ///< by work: whether it has a thread of its own; empty: none
    bool oversubscribed = false;  ///< more running threads than processors
    unsigned ranksHere = 1;       ///< as RunOptions has it
    unsigned rankHere = 0;        ///< as RunOptions has it

    /// Threads that share the work, without those of works with a thread of their own.
    unsigned running() const {
        if (form == Form::Elided) return 1;
        return processors == 0 || threads < processors ? threads : processors;
    }
};

/// How threads are bound where there are so many processors; never Auto.
Bind bindingOf(const EngineConfig& config, std::size_t processors);

/// The schedule that a configuration asks for, on processors of `caches` last-level caches.
std::unique_ptr<Schedule> scheduleFor(const Model& model, const EngineConfig& config,
                                      unsigned caches, const Times& times);

}  // namespace sme
