#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/config.h"
#include "schedule/stages.h"

namespace sme {

/// What the threads of a run do in each cycle: stages, and the schedule of their levels. Set between runs,
/// read only while cycles run.
class CyclePlan {
public:
    /// The model outlives it. configure() follows.
    explicit CyclePlan(const Model& model) : model_(model), stages_(model) {}

    /// For processors with so many last-level caches.
    void configure(const EngineConfig& config, unsigned caches);
    const EngineConfig& config() const { return config_; }
    /// What pieces cost, for plans that ask (needsTimes); takes effect with the next configure().
    void setTimes(Times times) { times_ = std::move(times); }
    const Times& times() const { return times_; }
    /// Works by that schedule, whose levels are these, from `cycle` on, and gives the one it had.
    void exchange(std::unique_ptr<Schedule>& schedule, Stages& stages, std::uint64_t cycle);

    /// Threads that share the work, and one for each work of its own.
    unsigned threads() const { return config_.running() + static_cast<unsigned>(apart_.size()); }
    const Stages& stages() const { return stages_; }
    std::uint32_t lastLevel() const { return stages_.levels() - 1; }
    Schedule& schedule() const { return *schedule_; }
    /// The same on one thread, without anything that coordinates threads.
    Schedule& elided();
    /// All units of a cycle, one after the other.
    std::span<const Unit> line();
    /// Units of the plan, all levels, as they are cut.
    std::size_t unitCount() const;
    /// Each thread, during a run: its share of a level.
    void runLevel(Worker& worker, std::uint32_t level) const {
        if (worker.thread < config_.running()) [[likely]]
            schedule_->runLevel(worker, level);
        else
            runApart(worker, level);
    }

private:
    void runApart(Worker& worker, std::uint32_t level) const;

    const Model& model_;
    EngineConfig config_;
    Times times_;
    Stages stages_;  ///< of schedule_
    std::unique_ptr<Schedule> schedule_;
    std::unique_ptr<Schedule> elided_;  ///< of schedule_, once somebody asked
    std::vector<Unit> line_;            ///< the units of all levels, once somebody asked
    std::vector<std::uint32_t> apart_;  ///< works with a thread of their own
};

}  // namespace sme
