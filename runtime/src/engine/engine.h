#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/config.h"
#include "engine/cycle_runner.h"
#include "engine/observation.h"
#include "engine/rank_runner.h"
#include "engine/state.h"

namespace sme {

/// A simulation: the memory of a design, the threads that run its cycles, who looks at them, and where
/// there are several ranks what ties them. No globals; one thread at a time calls it.
class Engine {
public:
    /// Throws std::bad_alloc and std::system_error. The model, the sinks and the observer outlive
    /// the engine. `residence`: what a rank holds, which outlives it; null: everything.
    Engine(const Model& model, const EngineConfig& config, std::uint64_t seed,
           std::uint64_t loopLimit, TextSink& out, TextSink& err,
           const Residence* residence = nullptr);
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Another plan or number of threads, between runs.
    void configure(const EngineConfig& config);
    const EngineConfig& config() const { return runner_.plan().config(); }

    /// The state as it is, between runs; in `memory`, whatever that is, to need no other.
    Snapshot snapshot(std::vector<std::byte> memory = {}) const {
        return state_.snapshot(std::move(memory));
    }
    /// Goes on from there, under whatever plan the engine has; between runs. What was written to
    /// sinks stays written, and objects of extern processes that no state holds go on as they are;
    /// at cycle 0, where nothing is known of cycles that ran, new ones will be made. Throws Error
    /// when the state is none of this design.
    void restore(const Snapshot& snapshot);
    /// Goes on with a memory that somebody has put into the arena as far as this rank writes it:
    /// what it reads of others they tell it when they connect. Before the first cycle.
    void goOnAsPart(std::uint64_t cycle, std::uint64_t seed);
    /// What other ranks are told and tell, by level, from the next run on. All ranks connect at the
    /// same time, before the first cycle that they run, and run the same cycles from then on. The transport outlives the engine. With one
    /// rank there is nothing to tell. `cut`, which outlives it, too: its work where it computes while
    /// values travel; null: it does not try.
    void connect(Transport& transport, const std::vector<Halo>& halos,
                 const BorderFirst* cut = nullptr);

    /// Runs cycles until cycle() == until or something ends the run; returns the CycleFlag bits of
    /// the last cycle.
    std::uint32_t run(std::uint64_t until, Observer* observer = nullptr);

    std::uint64_t cycle() const { return state_.cycle(); }  ///< the next one to run
    const Model& model() const { return state_.model(); }
    Arena& arena() { return state_.arena(); }
    const Arena& arena() const { return state_.arena(); }
    /// As State has them.
    const std::byte* read(std::uint32_t plane, std::uint64_t element, std::uint64_t cycle) const {
        return state_.read(plane, element, cycle);
    }
    const std::byte* final(std::uint32_t plane, std::uint64_t element) const {
        return state_.final(plane, element);
    }

    State& state() { return state_; }
    const State& state() const { return state_; }
    Observation& observation() { return observation_; }
    const Observation& observation() const { return observation_; }
    CycleRunner& runner() { return runner_; }
    const CycleRunner& runner() const { return runner_; }
    /// Null: there is one rank.
    const RankRunner* ranks() const { return ranks_.get(); }

private:
    State state_;
    Observation observation_;
    CycleRunner runner_;
    std::unique_ptr<RankRunner> ranks_;  ///< null: there is one rank
};

/// Null, or why this runtime cannot run the model (it was made for another one).
const char* whyNotRunnable(const Model& model);

}  // namespace sme
