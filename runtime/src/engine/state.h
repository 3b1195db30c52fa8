#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/arena.h"
#include "engine/evaluation.h"
#include "engine/snapshot.h"
#include "sme/outside_log.h"

namespace sme {

/// All that later cycles of a simulation depend on. Between runs.
class State {
public:
    /// Throws std::bad_alloc. Memory is not initialised. The model and `residence`, what a rank holds
    /// (null: everything), outlive it.
    State(const Model& model, const Residence* residence, bool isInterleaved, std::uint64_t seed,
          std::uint64_t loopLimit);
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    const Model& model() const { return model_; }
    Arena& arena() { return arena_; }
    const Arena& arena() const { return arena_; }
    const Residence* residence() const { return residence_; }
    /// What kernels see of it; the same as long as the state lives.
    const Setup& setup() const { return setup_; }
    std::uint64_t seed() const { return setup_.seed; }
    std::uint64_t cycle() const { return cycle_; }  ///< the next one to run
    void reach(std::uint64_t cycle) { cycle_ = cycle; }

    /// In `memory`, whatever that is, to need no other.
    Snapshot snapshot(std::vector<std::byte> memory) const;
    /// Throws Error when the snapshot is none of this design.
    void restore(const Snapshot& snapshot);
    bool isRestored() const { return isRestored_; }
    /// The memory is what somebody has put into the arena as far as this rank writes it.
    void becomePart(std::uint64_t cycle, std::uint64_t seed);
    /// Whether it is that of a rank whose others do not know it yet; the answer is given once.
    bool takePart() { return std::exchange(isPart_, false); }

    /// Rounds of loops in an activation, from the next cycle on: no more than were asked for.
    void limitLoops(std::uint64_t most) { setup_.loopLimit = std::min(most, loopLimit_); }

    /// What calls of foreign code gave that must not be made twice, from the next run on; it outlives
    /// the state.
    void remember(OutsideLog& outside) { outside_ = &outside; }
    OutsideLog* outside() const { return outside_; }

    /// Somebody changed a value that is no input, between cycles.
    void intervene() { ++interventions_; }
    /// How often it was another memory than the cycle before left, but for inputs.
    std::uint64_t interventions() const { return interventions_; }

    /// Combinational processes on the present inputs; the state stays as it is. Throws Error where they
    /// call what must not be called, and std::bad_alloc.
    void evaluate(Evaluation& evaluation) const { evaluation.run(setup_, arena_, cycle_); }
    /// Element `element` of a plane as it is read during `cycle`, the one that an observer is called
    /// for.
    const std::byte* read(std::uint32_t plane, std::uint64_t element, std::uint64_t cycle) const;
    /// The same after the last propagation.
    const std::byte* final(std::uint32_t plane, std::uint64_t element) const;

private:
    const Model& model_;
    const Residence* const residence_;
    Arena arena_;
    Setup setup_;
    const std::uint64_t loopLimit_;
    std::uint64_t cycle_ = 0;
    std::uint64_t interventions_ = 0;
    OutsideLog* outside_ = nullptr;
    bool isRestored_ = false;
    bool isPart_ = false;  ///< of a state that ranks have
};

}  // namespace sme
