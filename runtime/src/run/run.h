#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/rank_state.h"
#include "output/error.h"
#include "report/summary.h"
#include "report/window.h"
#include "run/planning.h"
#include "run/streams.h"
#include "tuning/governor.h"

namespace sme {

struct Factored;

/// Where what a run says goes. They outlive it.
struct RunSinks {
    TextSink& out;                                 ///< what processes print
    TextSink& err;                                 ///< failures, differences
    std::function<void(const std::string&)> warn;  ///< of what does not end the run; may be empty
};

/// One run of a design, for whoever owns it: the command line, a library, a test. It takes no
/// signals, prints nothing but to its sinks, never ends the process, and there may be any number of
/// them; one thread at a time calls one. Every function throws Error and nothing else.
class Run final : private Observer {
public:
    /// The model outlives the run.
    Run(const Model& model, RunOptions options, RunSinks sinks);

    // What comes in and goes out, before the first cycle.

    /// Row k of the rows is what the exposed inputs are in cycle k.
    void drive(Rows rows) { streams_->drive(std::move(rows)); }
    /// Compares what is read in cycle k with row k.
    void expect(Rows rows) { streams_->expect(std::move(rows)); }
    /// The run ends when there is no row for the next cycle.
    void endWithRows() { streams_->endWithRows(); }
    /// The formats are those of the paths' endings. Traces of `kept` go on where they were then.
    void trace(const std::vector<std::string>& paths, TraceColumns columns,
               const TraceSelection& selection, std::span<const KeptTrace> kept = {}) {
        streams_->trace(paths, std::move(columns), selection, kept);
    }
    /// Asked once a cycle: ends advance() after the current one when it is not 0.
    void watch(const std::atomic<std::uint32_t>* request) {
        engine_->observation().watch(request);
        streams_->watch(request);
    }
    /// One rank of several: all call, with what crosses by level (engine/halo.h).
    void connect(Transport& transport, const std::vector<Halo>& halos, const BorderFirst* cut) {
        engine_->connect(transport, halos, cut);
    }
    /// Rank 0 gets what the others have of what is to be shown; all ranks call.
    void collect(Transport& transport, const Owners& owners, const std::vector<Shown>& shown) {
        forgetEvaluation();
        collectState(transport, owners, model_, engine_->arena(), cycle(), shown);
        engine_->state().intervene();
    }
    /// Whether rows come from a pipe.
    bool hasLiveRows() const { return streams_->hasLiveRows(); }
    /// Is told the cycle while cycles run; null: nobody.
    void show(std::atomic<std::uint64_t>* cycle) { engine_->observation().show(cycle); }
    /// What all threads do in these cycles is kept for reports; without a range in some after
    /// warming up.
    void record(std::optional<ScheduleRange> range);

    // Before the first cycle, or in between: the run goes on as if nothing had happened.

    /// Measures what plans ask for that follow measured times, or reads it.
    void measure();
    /// Runs the design `repeats` times in several ways up to cycle `until`.
    Factored measureSpeedup(std::uint64_t until, unsigned repeats);

    // Cycles.

    /// Runs up to cycle `until`, or until something ends the run; returns the CycleFlag bits of the
    /// last cycle. May be called again.
    std::uint32_t advance(std::uint64_t until);
    /// The same, with inputs and records of a block, which holds these cycles.
    std::uint32_t advance(std::uint64_t until, const std::vector<BlockColumn>& inputs,
                          const std::vector<BlockColumn>& records);
    /// Before the first cycle: what foreign code gives that must not be called twice is kept, in so
    /// many bytes, and given once more to cycles that run again.
    void rememberForeign(std::size_t bytes);
    /// From this cycle on, it is called anew.
    void forgetForeign(std::uint64_t cycle) {
        if (outside_) outside_->forgetFrom(cycle);
    }
    /// The run goes on from a state: of what was before, nothing is known.
    void beginForeign() {
        if (outside_) outside_->begin(cycle());
    }
    /// Runs cycles that have run before, whatever ends a run: nothing is printed. Where the way leads
    /// forth, traces take the rows that they do not have; on the way to a cycle of the past they take
    /// none.
    void replay(std::uint64_t until, bool isForth);
    /// Empty, or why cycles that ran cannot run once more.
    std::string whyNotAgain() const;
    std::uint64_t cycle() const { return engine_->cycle(); }
    /// Cycles of the files that drive and are expected; nothing where there are none, or pipes.
    std::optional<std::uint64_t> cyclesOfRows() const { return streams_->cyclesOfRows(); }
    /// How far the traces are written, all of it synced; nothing where one cannot be, as finish()
    /// will say.
    std::optional<std::vector<KeptTrace>> keepTraces() { return streams_->keepTraces(); }
    /// Ends traces and writes them out.
    FileProblem finish() { return streams_->finish(); }
    /// Why rows ended the run, as far as they did.
    FileProblem problemOfRows() const { return streams_->problem(); }

    // State.

    /// In `memory`, whatever that is, to need no other.
    Snapshot snapshot(std::vector<std::byte> memory = {}) const;
    /// Goes on from there. Traces go on where they are; rows of inputs are those of its cycle.
    void restore(const Snapshot& snapshot);
    /// One rank of several goes on from a state: `fill` puts what it writes into the arena. Before it
    /// connects.
    void restorePart(std::uint64_t cycle, std::uint64_t seed,
                     const std::function<void(Arena&)>& fill);
    /// Back before cycle 0: inputs have their defaults, the seed is that of the options.
    void reset();
    /// Runs combinational processes on the present state and inputs, unless that is done; shown()
    /// does so where it has to. Nothing else changes.
    void evaluate();
    /// A part of a value in one piece as it is read in the next cycle (docs/semantics.md): what is
    /// combinational as its processes make it of the present state and inputs. Throws Error where
    /// they call what only cycles call, and where there is no memory.
    const std::byte* shown(const Ref& piece);
    /// A whole value of such parts, into the bytes of its type.
    void value(const Ref& ref, std::byte* bytes);
    /// While it lives, inputs are those of the next cycle as far as files drive them. The state is
    /// without, for a row lasts its cycle.
    class NextRow {
    public:
        explicit NextRow(Run& run);
        ~NextRow();
        NextRow(const NextRow&) = delete;
        NextRow& operator=(const NextRow&) = delete;

    private:
        Run& run_;
    };
    /// Changes whenever what shown() gave may be somewhere else, or be another value than it shows.
    std::uint64_t epoch() const { return epoch_; }
    /// Sets a whole value between two cycles: an exposed input from the next cycle on until it is
    /// set again; a variable; a clocked field for the next cycle.
    void set(const Ref& ref, const std::byte* value);

    // Results.

    const Engine& engine() const { return *engine_; }
    /// The exit status that a process asked for.
    std::uint8_t stopStatus() const { return engine_->observation().output().stopStatus(); }
    /// Null: nothing is expected.
    Expectation* expectation() { return streams_->expectation(); }
    const std::optional<ScheduleWindow>& window() const { return window_; }
    /// With the seconds that cycles took so far.
    Summary summary() const;

private:
    // Observer.
    std::uint32_t during(std::uint64_t cycle) override;
    std::uint32_t between(std::uint64_t cycle) override;
    std::uint64_t nextWanted(std::uint64_t cycle) const override {
        return streams_->nextWanted(cycle);
    }
    std::uint32_t after(std::uint64_t cycle) override { return streams_->awaitRows(cycle + 1); }
    void goAhead() override { streams_->goAhead(); }
    void confirm() override { streams_->confirm(); }
    void undo() override { streams_->undo(); }

    void put(const Ref& ref, const std::byte* value);
    void moveOn();
    void forgetEvaluation();
    void prepareToLook();
    void trial(std::uint64_t cycles);
    std::uint64_t windowStart(std::uint64_t until) const;
    std::uint32_t runTo(std::uint64_t until);
    std::uint32_t runCycles(std::uint64_t until);
    std::uint32_t runAdapting(std::uint64_t until);
    /// Whether a cycle can run once only.
    bool hasEffects() const { return (model_.flags & kHasEffects) != 0 || streams_->hasLiveRows(); }

    const Model& model_;
    const RunOptions options_;
    const RunSinks sinks_;
    const Machine machine_;
    std::uint64_t mostThreads_ = 1;  ///< that find work in a cycle
    std::optional<OutsideLog> outside_;
    std::unique_ptr<Engine> engine_;
    std::unique_ptr<Streams> streams_;
    bool isFresh_ = true;  ///< in the initial state
    std::uint64_t epoch_ = 0;
    std::unique_ptr<Evaluation> evaluation_;  ///< once somebody looks
    bool isEvaluated_ = false;                ///< on this state and these inputs
    double seconds_ = 0;
    std::unique_ptr<EngineCourse> course_;  ///< of --threads auto, once it has run
    std::unique_ptr<Governor> governor_;    ///< over it
    std::string governed_;                  ///< why --threads auto chose what it did
    std::string adapted_;                   ///< what --adapt did
    bool records_ = false;
    std::optional<ScheduleRange> range_;
    std::optional<ScheduleWindow> window_;
};

bool isSettable(const Model& model, const Ref& ref);
/// Why it is not; names what drives it.
std::string whyNotSettable(const Model& model, const Ref& ref);

}  // namespace sme
