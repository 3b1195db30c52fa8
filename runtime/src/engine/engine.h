#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/ahead_pace.h"
#include "engine/arena.h"
#include "engine/border_first.h"
#include "engine/config.h"
#include "engine/evaluation.h"
#include "engine/overlap_trial.h"
#include "engine/rank_link.h"
#include "engine/rank_memory.h"
#include "engine/recording.h"
#include "engine/short_runs.h"
#include "engine/snapshot.h"
#include "engine/unobserved_cycles.h"
#include "output/output.h"
#include "schedule/stages.h"
#include "schedule/topology.h"
#include "schedule/workers.h"
#include "sme/outside_log.h"

namespace sme {

/// What thread 0 does beside running processes. Each function returns CycleFlag bits that end the
/// run.
class Observer {
public:
    virtual ~Observer() = default;
    /// Before a run that starts at `cycle` anew, by who starts it: the inputs of this cycle may be
    /// written.
    virtual void begin([[maybe_unused]] std::uint64_t cycle) {}
    /// While `cycle` runs, before this thread's share of it: all that is read in it may be read,
    /// and the inputs of the next cycle written.
    virtual std::uint32_t during(std::uint64_t cycle) = 0;
    /// After `cycle`, while every thread stands still: variables and combinational fields may be
    /// read, too. Costs a barrier.
    virtual std::uint32_t between(std::uint64_t cycle) = 0;
    /// After all that `cycle` had to say is written, unless it ended the run, while every thread
    /// stands still: the inputs of the next one may be waited for, and written. Costs a barrier.
    virtual std::uint32_t after([[maybe_unused]] std::uint64_t cycle) { return 0; }
    /// The first cycle from `cycle` on that it wants to see, or drives the inputs of; ~0: none. Of
    /// those in between it need not be told.
    virtual std::uint64_t nextWanted(std::uint64_t cycle) const { return cycle; }
    bool wantsDuring = false;
    bool wantsBetween = false;
    bool wantsAfter = false;
    /// It writes inputs of files and nothing else, and looks at nothing.
    bool onlyDrives = false;
    /// Cycles may be undone and run once more.
    bool bearsUndo = false;
    /// Between cycles: from the next one on they may be undone. confirm() follows, or undo() when
    /// the memory is again what it was. What would be told meanwhile waits for that, or is told as
    /// kHasOutput, after which they are undone.
    virtual void goAhead() {}
    virtual void confirm() {}
    virtual void undo() {}
};

/// A simulation: the memory of a design and the threads that run its cycles. No globals; one thread
/// at a time calls it.
class Engine {
public:
    /// Throws std::bad_alloc and std::system_error. The model, the sinks and the observer outlive
    /// the engine. `residence`: what a rank holds, which outlives it; null: everything.
    Engine(const Model& model, const EngineConfig& config, std::uint64_t seed,
           std::uint64_t loopLimit, TextSink& out, TextSink& err,
           const Residence* residence = nullptr);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Another plan or number of threads, between runs.
    void configure(const EngineConfig& config);
    /// What pieces cost, for plans that ask (needsTimes); takes effect with the next configure().
    void setTimes(Times times) { times_ = std::move(times); }
    const Times& times() const { return times_; }

    /// The state as it is, between runs; in `memory`, whatever that is, to need no other.
    Snapshot snapshot(std::vector<std::byte> memory = {}) const;
    /// Goes on from there, under whatever plan the engine has; between runs. What was written to
    /// sinks stays written, and objects of extern processes that no state holds go on as they are;
    /// at cycle 0, where nothing is known of cycles that ran, new ones will be made. Throws Error
    /// when the state is none of this design.
    void restore(const Snapshot& snapshot);
    /// Goes on with a memory that somebody has put into the arena as far as this rank writes it:
    /// what it reads of others they tell it when they connect. Before the first cycle.
    void goOnAsPart(std::uint64_t cycle, std::uint64_t seed);
    /// What calls of foreign code gave that must not be made twice, from now on; it outlives the
    /// engine.
    void remember(OutsideLog& outside);
    /// Combinational processes on the present inputs, between runs; the state stays as it is. Throws
    /// Error where they call what must not be called, and std::bad_alloc.
    void evaluate(Evaluation& evaluation) const;
    /// What other ranks are told and tell, by level, from the next run on. All ranks connect at the
    /// same time, before the first cycle that they run, and run the same cycles from then on. The transport outlives the engine. With one
    /// rank there is nothing to tell. `cut`, which outlives it, too: its work where it computes while
    /// values travel; null: it does not try.
    void connect(Transport& transport, const std::vector<Halo>& halos,
                 const BorderFirst* cut = nullptr);
    /// Null: there is one rank.
    const RankLink* link() const { return link_.get(); }
    /// How ranks ran ahead; null: there is one rank.
    const AheadPace* pace() const { return pace_ ? &*pace_ : nullptr; }
    /// Somebody changed a value that is no input, between cycles.
    void intervene() { ++interventions_; }
    /// How often it was another memory than the cycle before left, but for inputs.
    std::uint64_t interventions() const { return interventions_; }
    /// Nothing is written to the sinks as long as it is set; stops and failures still end runs.
    void mute(bool isMute) { isMute_ = isMute; }

    /// What its threads are watched for; between runs.
    Recording& recording() { return recording_; }
    const Recording& recording() const { return recording_; }
    /// Units of the plan, all levels, as they are cut.
    std::size_t unitCount() const;

    /// Runs cycles until cycle() == until or something ends the run; returns the CycleFlag bits of
    /// the last cycle.
    std::uint32_t run(std::uint64_t until, Observer* observer = nullptr);

    /// Asked once a cycle: ends the run after the current one when it is not 0. May be set from
    /// any thread or signal handler.
    void watch(const std::atomic<std::uint32_t>* request) { request_ = request; }
    /// Takes the cycle that runs, now and then; from any thread it may be read. Null: nobody does.
    void show(std::atomic<std::uint64_t>* cycle) { shown_ = cycle; }

    std::uint64_t cycle() const { return cycle_; }  ///< the next one to run
    std::uint64_t seed() const { return setup_.seed; }
    const Model& model() const { return model_; }
    Arena& arena() { return arena_; }
    const Arena& arena() const { return arena_; }
    const OutputMerger& output() const { return output_; }
    const EngineConfig& config() const { return config_; }
    std::uint64_t stepsPerCycle() const { return steps_; }
    /// Those it may run on, whatever its threads are bound to.
    const ProcessorGroups& processors() const { return processors_; }
    bool isBound_ = false;  ///< threads to processors
    /// Into how many pieces the design can be cut at most: more threads than that are useless.
    std::uint64_t pieces() const { return pieces_; }

    /// Element `element` of a plane as it is read during `cycle`, the one that an observer is
    /// called for.
    const std::byte* read(std::uint32_t plane, std::uint64_t element, std::uint64_t cycle) const;
    /// The same after the last propagation, between runs.
    const std::byte* final(std::uint32_t plane, std::uint64_t element) const;

private:
    void bind();
    void makeWorkers(unsigned threads);
    void goOn(std::uint64_t cycle, std::optional<std::uint64_t> seed);
    void tellRestored();
    void crossTogether(Worker& worker, std::uint32_t level);
    void goOnOpen(const Worker& worker, std::uint32_t level);
    std::uint32_t meetRanks(std::uint64_t cycle, std::uint32_t flags);
    std::uint32_t mergeRanks(std::uint64_t cycle);
    std::uint32_t noteAhead(std::uint32_t flags);
    bool bearsUndo() const;
    bool haveRoom();
    std::uint32_t runOnRanks(std::uint64_t until);
    std::uint32_t tryOverlap(std::uint64_t until);
    void overlap(bool overlaps);
    std::uint32_t runAhead(std::uint64_t until);
    std::uint32_t runAsking(std::uint64_t end);
    std::uint32_t runStretchAhead(std::uint64_t end);
    std::uint32_t undo(std::uint64_t from, std::uint64_t end, std::uint32_t flags);
    void limitLoops(std::uint64_t rounds);
    void forgetLogs();
    std::uint32_t runTo(std::uint64_t until);
    void runApart(Worker& worker, std::uint32_t level) const;
    std::uint32_t meet(Worker& worker, std::uint32_t level, std::uint32_t flags);
    void runThread(unsigned thread);
    bool staysHere();
    std::uint32_t runHere();  ///< what is for all threads, on this one
    std::span<const Unit> line(const Schedule& schedule);
    bool isOnePiece() const;
    std::uint64_t watchedFrom(std::uint64_t cycle) const;
    std::uint64_t runUnobserved(std::uint64_t cycle);
    bool onlyDrives() const;
    std::uint64_t runOn(std::span<const Unit> line, std::uint64_t last) const;
    std::uint32_t runAlone(Schedule& schedule);
    void runLevels(Schedule& schedule, std::span<const Unit> line, std::uint64_t cycle);
    std::uint32_t runTogether(unsigned thread);
    std::uint32_t during(std::uint64_t cycle);
    std::uint32_t betweenCycles(std::uint64_t cycle, std::uint32_t flags);
    std::uint32_t standStill(std::uint64_t cycle, std::uint32_t flags);
    std::uint32_t settle(std::uint64_t cycle, std::uint32_t flags);
    std::uint32_t merge(std::uint64_t cycle);
    void enter(Worker& worker, std::uint64_t cycle) const;
    std::uint32_t request() const {
        // relaxed: a wish for the end; nothing is handed over with it
        return request_ && request_->load(std::memory_order_relaxed) != 0
                   ? std::uint32_t{kRequested}
                   : 0;
    }

    const Model& model_;
    EngineConfig config_;
    Arena arena_;
    const Residence* const residence_;
    const ProcessorGroups processors_;
    InstanceIndex instances_;
    OutputMerger output_;
    Setup setup_;
    const std::uint64_t loopLimit_;  ///< as asked for; ranks that run ahead have less
    std::uint64_t steps_ = 0;
    std::uint64_t pieces_ = 1;
    std::uint64_t cycle_ = 0;
    std::uint64_t interventions_ = 0;
    OutsideLog* outside_ = nullptr;
    const std::atomic<std::uint32_t>* request_ = nullptr;
    std::atomic<std::uint64_t>* shown_ = nullptr;

    // Set between runs, read only while cycles run.
    std::unique_ptr<Schedule> schedule_;
    std::unique_ptr<Schedule> elided_;  ///< of schedule_, once a run stayed with the caller
    std::vector<Unit> line_;            ///< the units of all levels, once one thread ran them
    std::unique_ptr<Barrier> barrier_;
    std::unique_ptr<Workers> workers_;
    std::vector<std::unique_ptr<Worker>> team_;  ///< by thread; those of apart works come last
    Recording recording_;
    std::vector<ThreadLog*> logs_;
    std::vector<std::uint32_t> apart_;  ///< works with a thread of their own
    Times times_;
    bool isMute_ = false;
    bool isRestored_ = false;
    bool isPart_ = false;  ///< of a state that ranks have
    std::uint64_t until_ = 0;
    Observer* observer_ = nullptr;
    bool during_ = false;                ///< observer_ wants it
    bool between_ = false;               ///< observer_ wants it, or there are other ranks
    bool after_ = false;                 ///< observer_ wants it
    std::unique_ptr<RankLink> link_;     ///< null: one rank
    std::optional<RankMemory> memory_;   ///< of a rank
    std::optional<bool> haveRoom_;       ///< all ranks, for copies; nobody asked yet
    std::optional<AheadPace> pace_;      ///< of a rank
    Stages stages_;                      ///< of schedule_
    const BorderFirst* cut_ = nullptr;   ///< null: nothing is computed while values travel
    std::unique_ptr<Schedule> other_;    ///< where there is cut_: the one that schedule_ is not
    bool overlaps_ = false;              ///< schedule_ is that of cut_
    std::optional<OverlapTrial> trial_;  ///< of a rank, until it is over
    bool isAhead_ = false;               ///< of all it is not known yet whether it counts
    bool coasts_ = false;                ///< of what it runs ahead it is known that it does not
    std::uint32_t ahead_ = 0;            ///< CycleFlag bits of the cycles that ran ahead
    ShortRuns shortRuns_;
    std::optional<UnobservedCycles> unobserved_;  ///< of designs that one work is all of
    std::uint32_t ended_ = 0;                     ///< written by thread 0 at the end of a run
};

/// Null, or why this runtime cannot run the model (it was made for another one).
const char* whyNotRunnable(const Model& model);

}  // namespace sme
