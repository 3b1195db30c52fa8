#include "engine/config.h"

#include <algorithm>

namespace sme {

/// Threads that have the machine to themselves lose by being moved. Fewer than there are processors
/// would all be bound to the first ones, those of other simulators as well.
Bind bindingOf(const EngineConfig& config, std::size_t processors) {
    if (config.scheduling.bind != Bind::Auto) return config.scheduling.bind;
    const bool hasOwn = std::ranges::find(config.isApart, true) != config.isApart.end();
    const std::size_t all = std::size_t{config.running()} * config.ranksHere;
    return !hasOwn && all > 1 && all == processors ? Bind::Compact : Bind::None;
}

std::unique_ptr<Schedule> scheduleFor(const Model& model, const EngineConfig& config,
                                      unsigned caches, const Times& times) {
    Crew crew;
    crew.shares = config.threads;
    crew.running = config.running();
    const unsigned groups = config.scheduling.groups > 0 ? config.scheduling.groups : caches;
    crew.groups = std::clamp(groups, 1u, crew.running);
    const ScheduleInput input{model, config.scheduling, crew, times, config.isApart};
    switch (config.form) {
    case Form::Pieces: return makePieces(input);
    case Form::Scheduled: return makeSchedule(input);
    case Form::Elided: {
        ScheduleInput parallel = input;
        parallel.crew.running = parallel.crew.shares;
        parallel.crew.groups = std::clamp(groups, 1u, parallel.crew.running);
        return makeElided(*makeSchedule(parallel), model.levels);
    }
    case Form::Plan: break;
    }
    if (crew.running > 1) return makeSchedule(input);
    ScheduleInput alone = input;
    alone.crew = {};
    alone.scheduling = {};
    return makeStatic(alone);
}

}  // namespace sme
