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
    /// A schedule, and the stages whose levels are its own.
    struct Staged {
        Stages stages;
        std::unique_ptr<Schedule> schedule{};
    };

    /// The model outlives it. configure() follows.
    explicit CyclePlan(const Model& model) : model_(model), now_{Stages(model)} {}

    /// For processors with so many last-level caches. `config` may be that of this plan.
    void configure(const EngineConfig& config, unsigned caches);
    const EngineConfig& config() const { return config_; }
    /// What pieces cost, for plans that ask (needsTimes); takes effect with the next configure().
    void setTimes(Times times) { times_ = std::move(times); }
    const Times& times() const { return times_; }
    /// Works by `other` from `cycle` on, and gives what it had.
    void exchange(Staged& other, std::uint64_t cycle);

    /// Threads that share the work, and one for each work of its own.
    unsigned threads() const { return config_.running() + static_cast<unsigned>(apart_.size()); }
    const Stages& stages() const { return now_.stages; }
    std::uint32_t lastLevel() const { return now_.stages.levels() - 1; }
    Schedule& schedule() const { return *now_.schedule; }
    /// The same on one thread, without anything that coordinates threads.
    Schedule& elided();
    /// All units of a cycle, one after the other.
    std::span<const Unit> line();
    /// Units of the plan, all levels, as they are cut.
    std::size_t unitCount() const;
    /// Each thread, during a run: its share of a level.
    void runLevel(Worker& worker, std::uint32_t level) const {
        if (worker.thread < config_.running()) [[likely]]
            now_.schedule->runLevel(worker, level);
        else
            runApart(worker, level);
    }

private:
    void runApart(Worker& worker, std::uint32_t level) const;

    const Model& model_;
    EngineConfig config_;
    Times times_;
    Staged now_;
    std::unique_ptr<Schedule> elided_;  ///< of that schedule, once somebody asked
    std::vector<Unit> line_;            ///< the units of all levels, once somebody asked
    std::vector<std::uint32_t> apart_;  ///< works with a thread of their own
};

}  // namespace sme
