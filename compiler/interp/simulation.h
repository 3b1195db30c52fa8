#pragma once

#include <optional>
#include <span>
#include <unordered_map>

#include "interp/context.h"
#include "interp/network.h"
#include "interp/state.h"
#include "interp/state_form.h"
#include "sme/outside_log.h"

namespace smec::interp {

/// The network in motion: docs/language.md. One cycle is
///
///     runCombinational();   // what is read in this cycle is complete now
///     runClocked();
///     propagate();
class Simulation {
public:
    Simulation(const hir::Design& design, const SourceManager& sources, const Settings& settings);
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    void runCombinational();
    void runClocked();
    /// Every clocked read slot takes its write slot; starts the next cycle.
    void propagate();

    std::uint64_t cycle() const { return context_.cycle; }
    bool mustEnd() const { return context_.mustEnd(); }
    bool ended() const { return context_.failed || context_.stop.has_value(); }
    bool hasFailed() const { return context_.failed; }
    bool hasStopped() const { return context_.stop.has_value(); }
    /// What `stop` asked for; 0: nothing did.
    std::uint32_t stopStatus() const {
        return context_.stop ? static_cast<std::uint32_t>(context_.stop->status) : 0;
    }
    /// 1 after a failure, else what `stop` asked for.
    int status() const { return context_.failed ? 1 : context_.stop ? context_.stop->status : 0; }
    /// What the processes said in the cycle that was run last, in output order; forgotten when
    /// taken.
    std::vector<Message> takeMessages();
    /// The next cycle may run in spite of a failure or a stop.
    void goOn() {
        context_.failed = false;
        context_.stop.reset();
    }

    /// Between two cycles.
    State snapshot() const { return stateOf(context_, network_); }
    /// Before cycle 0.
    State initialState(std::uint64_t seed) const { return interp::initialState(context_, seed); }
    /// Whether it may be a state of this design.
    bool suits(const State& state) const { return isStateOf(state, context_, network_); }
    /// Objects of extern processes that no state holds go on as they are; at cycle 0, where nothing
    /// is known of cycles that ran, new ones will be made.
    void restore(const State& state);
    /// Before the first cycle: what C++ gives that must not be called twice is kept, in so many
    /// bytes, and given once more to cycles that run again.
    void rememberForeign(std::size_t bytes);
    /// Null: nothing is kept.
    sme::OutsideLog* foreignLog() { return foreignLog_ ? &*foreignLog_ : nullptr; }
    /// Runs combinational processes on the present state and inputs, between two cycles, unless that
    /// is done. Nothing else changes. Throws RunError where they call what only cycles call.
    void evaluate();
    /// A field that one of them drives, as it is read in the next cycle (docs/semantics.md); it
    /// evaluates where it has to.
    const Value& evaluated(std::uint32_t field);

    const hir::Design& design() const { return context_.design; }
    const Network& network() const { return network_; }
    /// Null: none.
    const ForeignCode* foreign() const { return context_.settings.foreign; }
    const StateForm& stateForm() const;

    // State by name: read slots of fields, process variables by process and place.
    const Value& field(std::uint32_t field) const { return context_.read[field]; }
    const Value& defaultOf(std::uint32_t field) const { return *network_.fieldDefaults[field]; }
    /// What is read from now on, of a field that nobody inside drives.
    void setInput(std::uint32_t field, const Value& value) {
        isEvaluated_ = false;
        context_.read[field] = value;
    }
    const Value& variable(std::uint32_t process, std::uint32_t variable) const {
        return network_.processes[process].vars[variable];
    }
    /// Where it is between two cycles: hir/waits.h.
    std::uint32_t waitOf(std::uint32_t process) const;
    /// Between two cycles: what is read in the next one, of a part of a driven field, which goes on
    /// from there where it holds; of a part of a variable.
    void setField(std::uint32_t field, std::span<const std::uint32_t> path, const Value& value);
    void setVariable(std::uint32_t process, std::uint32_t variable,
                     std::span<const std::uint32_t> path, const Value& value);

private:
    Context context_;
    Network network_;
    std::optional<sme::OutsideLog> foreignLog_;
    std::unordered_map<std::uint32_t, Value> evaluated_;  ///< by field
    bool isEvaluated_ = false;                            ///< on this state and these inputs
};

}  // namespace smec::interp
