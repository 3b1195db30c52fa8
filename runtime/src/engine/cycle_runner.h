#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/cycle_plan.h"
#include "engine/observation.h"
#include "engine/recording.h"
#include "engine/short_runs.h"
#include "engine/state.h"
#include "engine/team.h"
#include "engine/unobserved_cycles.h"

namespace sme {

class RankRunner;

/// Runs the cycles of a state on the threads of a team, as a schedule says. Who looks at them is an
/// observation; between levels and after a cycle other ranks are met, where there are some.
class CycleRunner {
public:
    /// The state and the observation outlive it. configure() follows.
    CycleRunner(State& state, Observation& observation);
    CycleRunner(const CycleRunner&) = delete;
    CycleRunner& operator=(const CycleRunner&) = delete;

    /// A plan and a number of threads; between runs. Throws std::bad_alloc and std::system_error.
    void configure(const EngineConfig& config);
    CyclePlan& plan() { return plan_; }
    const CyclePlan& plan() const { return plan_; }
    Team& team() { return team_; }
    const Team& team() const { return team_; }
    Recording& recording() { return recording_; }
    const Recording& recording() const { return recording_; }

    /// From the next run on. Null: there is one rank.
    void meetRanks(RankRunner* ranks) { ranks_ = ranks; }
    /// Between runs: goes on with `cycle`, before which memory is again what it was.
    void rewind(std::uint64_t cycle);

    /// Runs cycles until that one or something ends the run; returns CycleFlag bits that did.
    std::uint32_t runTo(std::uint64_t until);

private:
    bool coasts() const;

    // One thread.
    bool staysHere();
    std::uint32_t runHere();
    std::uint32_t runAlone(Schedule& schedule);
    void runLevels(Schedule& schedule, std::span<const Unit> line, std::uint64_t cycle);
    std::uint64_t runOn(std::span<const Unit> line, std::uint64_t last) const;

    // All threads.
    void runThread(unsigned thread);
    std::uint32_t runTogether(unsigned thread);
    void runStages(Worker& worker, std::uint64_t cycle);
    void cross(Worker& worker, std::uint32_t level);

    void enter(Worker& worker, std::uint64_t cycle) const;
    std::uint32_t between(std::uint64_t cycle, std::uint32_t flags);
    std::uint32_t standStill(std::uint64_t cycle, std::uint32_t flags);

    State& state_;
    Observation& observation_;
    Team team_;
    Recording recording_;
    CyclePlan plan_;
    std::optional<UnobservedCycles> unobserved_;  ///< of designs that one work is all of
    RankRunner* ranks_ = nullptr;
    ShortRuns shortRuns_;
    std::uint64_t until_ = 0;
    std::uint32_t ended_ = 0;  ///< written by thread 0 at the end of a run
};

}  // namespace sme
