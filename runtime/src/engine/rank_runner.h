#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/ahead_pace.h"
#include "engine/border_first.h"
#include "engine/cycle_runner.h"
#include "engine/overlap_trial.h"
#include "engine/rank_link.h"
#include "engine/rank_memory.h"

namespace sme {

/// Runs the cycles of an engine that is one rank of several: when ranks ask each other, whether they run
/// ahead of what they know, and what is computed while values travel. Where there is one rank there
/// is no such object.
class RankRunner {
public:
    /// The state, the observation and the runner outlive it, and the transport and `cut`, as
    /// Engine::connect has it. All ranks connect at the same time.
    RankRunner(State& state, Observation& observation, CycleRunner& runner, Transport& transport,
               const std::vector<Halo>& halos, const BorderFirst* cut);
    RankRunner(const RankRunner&) = delete;
    RankRunner& operator=(const RankRunner&) = delete;

    RankLink& link() { return link_; }
    const RankLink& link() const { return link_; }
    const AheadPace& pace() const { return pace_; }
    /// The runner has got another plan.
    void configure(const EngineConfig& config);
    /// Runs cycles until that one or something ends the run; returns CycleFlag bits that did. Throws
    /// what went wrong between ranks.
    std::uint32_t run(std::uint64_t until);

    // For the runner, while cycles run.

    /// Of what it runs ahead it is known that it does not count.
    bool coasts() const { return coasts_; }
    /// Each thread, behind a level: whether it goes on without meeting the others, `others` beside thread 0.
    bool goesOn(const Worker& worker, std::uint32_t level, unsigned others);
    /// Thread 0 after a cycle that left `flags`, while the others stand still: what other ranks read of
    /// this cycle and wrote in it, and the observer between cycles.
    std::uint32_t meet(std::uint64_t cycle, std::uint32_t flags);

private:
    void tellRestored();
    std::uint32_t meetOthers(std::uint64_t cycle, std::uint32_t flags);
    std::uint32_t merge(std::uint64_t cycle);
    std::uint32_t noteAhead(std::uint32_t flags);
    bool bearsUndo() const;
    bool haveRoom();
    std::uint32_t runCycles(std::uint64_t until);
    std::uint32_t tryOverlap(std::uint64_t until);
    void overlap(bool overlaps);
    std::uint32_t runAhead(std::uint64_t until);
    std::uint32_t runAsking(std::uint64_t end);
    std::uint32_t runStretchAhead(std::uint64_t end);
    std::uint32_t undo(std::uint64_t from, std::uint64_t end, std::uint32_t flags);

    State& state_;
    Observation& observation_;
    CycleRunner& runner_;
    const BorderFirst* const cut_;  ///< null: nothing is computed while values travel
    RankLink link_;
    RankMemory memory_;
    AheadPace pace_;
    std::optional<bool> haveRoom_;       ///< all ranks, for copies; nobody asked yet
    CyclePlan::Staged other_;            ///< where there is cut_: what the runner has not
    bool overlaps_ = false;              ///< the runner has the schedule of cut_
    std::optional<OverlapTrial> trial_;  ///< until it is over
    bool isAhead_ = false;               ///< of all it is not known yet whether it counts
    bool coasts_ = false;
    std::uint32_t ahead_ = 0;  ///< CycleFlag bits of the cycles that ran ahead
};

}  // namespace sme
