#pragma once

#include <span>

#include "interp/context.h"
#include "interp/foreign.h"

namespace smec::interp {

/// All that the next cycles depend on, between two of them. Values share their memory with the
/// simulation's as long as nobody writes them. For simulations of one design only.
struct State {
    struct Activity {
        std::vector<Frame> frames;
        std::uint64_t cyclesToWait;
        hir::ExprId waitUntil;
        std::uint64_t randomState;
        std::vector<CoverCount> covers;
    };
    std::uint64_t cycle = 0;
    std::uint64_t seed = 0;
    std::vector<Value> read;
    std::vector<Value> write;
    std::vector<Value> variables;
    std::vector<std::vector<Value>> underway;  ///< by register
    std::vector<Activity> activities;          ///< by process
    /// Of extern processes; where they are in `variables` is 0.
    struct Object {
        std::uint32_t process;
        sme::ForeignObject object;
    };
    std::vector<Object> objects{};
};

/// The C++ class of an extern process.
const std::string& classOf(const hir::Design& design, const Process& process);

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

    /// Between two cycles. Throws RunError where an object of an extern process cannot be copied.
    State snapshot() const;
    /// Before cycle 0.
    State initialState(std::uint64_t seed) const;
    /// Whether it may be a state of this design.
    bool isOne(const State& state) const {
        return state.read.size() == context_.read.size()
               && state.variables.size() == variables_.size()
               && state.activities.size() == processes_.size()
               && state.underway.size() == registers_.size();
    }
    void restore(const State& state);

    const hir::Design& design() const { return context_.design; }
    std::size_t processCount() const { return processes_.size(); }
    const std::vector<Process>& processes() const { return processes_; }

    /// Of State::underway.
    TypeId typeOfRegister(std::size_t number) const;
    /// Where the variables of a process start in State::variables.
    std::size_t firstVariable(const Process& process) const {
        return static_cast<std::size_t>(process.vars - variables_.data());
    }

    // State by name: read slots of fields, process variables by process and place.
    const Value& field(std::uint32_t field) const { return context_.read[field]; }
    const Value& defaultOf(std::uint32_t field) const { return *fieldDefaults_[field]; }
    /// What is read from now on, of a field that nobody inside drives.
    void setInput(std::uint32_t field, const Value& value) { context_.read[field] = value; }
    const Value& variable(std::uint32_t process, std::uint32_t variable) const {
        return processes_[process].vars[variable];
    }
    /// Between two cycles: what is read in the next one, of a part of a driven field, which goes on
    /// from there where it holds; of a part of a variable.
    void setField(std::uint32_t field, std::span<const std::uint32_t> path, const Value& value);
    void setVariable(std::uint32_t process, std::uint32_t variable,
                     std::span<const std::uint32_t> path, const Value& value);

private:
    /// A driven field that is seen in later cycles.
    struct Register {
        std::uint32_t field;
        TypeId type;
        bool hold;
        std::vector<Value> underway;  ///< delay d: what was written d-1 … 1 cycles before the last
                                      ///< one, oldest first
    };

    void placeFields();
    void placeProcesses();
    void orderCombinational();
    std::vector<std::uint32_t> combinationalInputs(const Process& process) const;
    bool isCombinational(std::uint32_t field) const;
    void activate(Process& process);
    void continueBody(Process& process);
    void startVariables(Process& process);
    /// visit(process, code, object) for the objects of extern processes.
    template <typename Visit>
    void forEachObject(const Visit& visit) const;
    void releaseObjects();

    Context context_;
    std::vector<Process> processes_;  ///< in output order
    std::vector<Value> variables_;
    std::vector<std::uint32_t> processOf_;  ///< by instance
    std::vector<const Value*> fieldDefaults_;
    std::vector<Register> registers_;
    std::vector<std::uint32_t> combinationalOrder_;  ///< processes, drivers before readers
    std::vector<std::uint32_t> clocked_;
};

}  // namespace smec::interp
