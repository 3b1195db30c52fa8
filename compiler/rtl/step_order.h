#pragma once

#include <unordered_map>
#include <vector>

#include "rtl/signals.h"
#include "source/graph.h"

namespace smec::rtl {

/// An order of steps in which each stands behind those that it reads and, where that can be,
/// behind those that read what a register was that it sets.
class StepOrder {
public:
    explicit StepOrder(std::size_t steps) : steps_(steps) {}

    /// The key is that of the last signal that a step makes.
    void makes(std::uint32_t step, SignalId signal, std::uint32_t key);
    void sets(std::uint32_t step, SignalId reg);
    /// Once all is known that steps make and set.
    void reads(std::uint32_t step, SignalId signal);

    std::vector<std::uint32_t> run();

private:
    struct Step {
        std::uint32_t key = 0;
        std::uint32_t late = 0;           ///< registers it sets that others still read
        std::vector<SignalId> registers;  ///< it reads, set by others
    };
    struct Register {
        std::uint32_t setter = 0;
        std::uint32_t readers = 0;     ///< beside its setter, not placed yet
        std::uint32_t lastReader = 0;  ///< one more than it
    };

    std::vector<Step> steps_;
    std::vector<Edge> reads_;  ///< from what makes a signal to what reads it
    std::unordered_map<SignalId, std::uint32_t> maker_;
    std::unordered_map<SignalId, Register> registers_;
};

}  // namespace smec::rtl
