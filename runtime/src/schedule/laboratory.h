#pragma once

#include <memory>
#include <vector>

#include "schedule/schedule.h"

namespace sme {

/// What `--model` and `--orchestrate` choose from beside m2 with slices by estimated or measured times: schedulers of the literature, of
/// the room lab. That room defines the table, and nothing else of this one and of those between knows it.
struct Laboratory {
    std::unique_ptr<Schedule> (*make)(const ScheduleInput& input);  ///< models other than m2
    /// Orchestrate::Thesis, RoundRobin.
    Slices (*slice)(const LevelList& list, unsigned threads, Orchestrate how);
    /// Orchestrate::MonteCarlo, Optimize.
    Deal (*deal)(const Model& model, const Scheduling& scheduling, const std::vector<Piece>& pieces,
                 unsigned threads);
};

extern const Laboratory kLaboratory;

}  // namespace sme
