// In a design that can stop, fail or print, ranks ask each other after each cycle, or run ahead:
//
//   save  cycle cycle … cycle  ask: nothing happened    save  cycle … cycle  ask: it did  go back,
//   and run the same cycles once more, asking after each
//
// While ranks run ahead nothing is written, and rows of traces are kept back; a rank on which
// something happened exchanges what it has and runs nothing, for all of it will be undone.

#include "engine/rank_runner.h"

#include <algorithm>

#include "engine/rank_choices.h"
#include "engine/target.h"
#include "output/log_bytes.h"
#include "schedule/machine.h"

namespace sme {
namespace {

/// What the processes of a design did, of what ranks find in a cycle.
constexpr std::uint32_t kHappened = (kEnds & ~std::uint32_t{kRequested}) | kHasOutput;

/// Before the first cycle a rank reads initial values of others, too. A state has all.
Arena& withInitialValues(State& state, const std::vector<Halo>& halos) {
    if (state.isRestored()) return state.arena();
    for (const Halo& halo : halos)
        for (const PlaneRange& range : halo.receives)
            state.arena().initialise(range.plane, {range.first, range.first + range.count});
    return state.arena();
}

std::vector<Halo> cutHalos(const BorderFirst* cut, const std::vector<Halo>& halos) {
    return cut ? cut->halos(halos) : std::vector<Halo>();
}

RankWait waitOf(const EngineConfig& config) {
    return {config.scheduling.wait, config.oversubscribed};
}

AheadPace paceOf(const RankMemory& memory) {
    const RankChoices choices = choicesOfEnvironment();
    if (choices.neverAhead) return AheadPace::never();
    if (choices.ahead) return AheadPace::always(*choices.ahead);
    return AheadPace(static_cast<double>(memory.bytes()) / target::kCopyBytesPerNs);
}

/// Null where nothing is cut.
const BorderFirst* cutOf(const BorderFirst* cut) {
    return cut && cut->cutLevels() > 0 ? cut : nullptr;
}

}  // namespace

RankRunner::RankRunner(State& state, Observation& observation, CycleRunner& runner,
                       Transport& transport, const std::vector<Halo>& halos, const BorderFirst* cut)
    : state_(state),
      observation_(observation),
      runner_(runner),
      cut_(cutOf(cut)),
      link_(transport, halos, cutHalos(cut_, halos), state.model(), withInitialValues(state, halos),
            waitOf(runner.plan().config())),
      memory_(state.model(), state.residence(), halos, state.arena()),
      pace_(paceOf(memory_)),
      other_{Stages(state.model())} {
    if (state.takePart()) tellRestored();
    if (cut_) configure(runner.plan().config());
    if (!cut) return;
    constexpr std::uint32_t kTries = 1;
    const bool tries = cut_ && cut->choice() == Overlap::WherePays;
    if (cut_ && !tries) overlap(true);
    if (link_.answer(tries ? kTries : 0) != 0) trial_.emplace();
}

void RankRunner::configure(const EngineConfig& config) {
    if (!cut_) return;
    const auto caches = static_cast<unsigned>(runner_.team().processors().size());
    other_ = {Stages(cut_->model()), scheduleFor(cut_->model(), config, caches, {})};
    if (overlaps_) runner_.plan().exchange(other_, state_.cycle());
}

/// As after the last cycle before the state.
void RankRunner::tellRestored() {
    for (std::uint32_t level = 0; level < state_.model().levels; ++level)
        link_.cross(level, state_.cycle() - 1);
    link_.beginWaiting();
    if (link_.problem()) std::rethrow_exception(link_.problem());
}

std::uint32_t RankRunner::meet(std::uint64_t cycle, std::uint32_t flags) {
    const std::uint32_t ranks = meetOthers(cycle, flags);
    if (!observation_.isBetween()) return ranks;
    const std::uint32_t found = observation_.between(cycle);
    if (isAhead_) return ranks | noteAhead(found);
    link_.owe(found);
    return ranks;
}

/// With other ranks only what all agree about ends a run.
std::uint32_t RankRunner::meetOthers(std::uint64_t cycle, std::uint32_t flags) {
    link_.cross(runner_.plan().lastLevel(), cycle);
    if (isAhead_) return noteAhead(flags);
    const std::uint32_t agreed = link_.agree(cycle, flags);
    if ((agreed & kHasOutput) != 0) link_.owe(flagsOf([&] { return merge(cycle); }));
    return agreed & kEnds;
}

/// What all ranks had to say, on rank 0.
std::uint32_t RankRunner::merge(std::uint64_t cycle) {
    const std::span<ThreadLog* const> logs = runner_.team().logs();
    OutputMerger& output = observation_.output();
    if (!link_.isFirst()) {
        link_.gather(packLogs(logs, cycle));
        return output.drop(logs, cycle);
    }
    for (const std::vector<std::byte>& bytes : link_.gather({}))
        output.take(unpackLogs(bytes));
    return output.merge(logs, cycle);
}

/// Thread 0, while the others stand still.
std::uint32_t RankRunner::noteAhead(std::uint32_t flags) {
    ahead_ |= flags;
    coasts_ = (ahead_ & kHappened) != 0;
    return link_.problem() ? std::uint32_t{kNoMemory} : 0;
}

bool RankRunner::goesOn(const Worker& worker, std::uint32_t level, unsigned others) {
    if (!link_.isOpen(level)) return false;
    if (worker.thread != 0)
        link_.arrive();
    else
        link_.open(level, worker.slots.cycle, others);
    return true;
}

/// Neighbours of a rank on which something happened go on with values that no run has.
bool RankRunner::bearsUndo() const {
    constexpr std::uint32_t kBearsNone = kHasEffects | kTrustsValues;
    const Observer* observer = observation_.observer();
    return (!observer || observer->bearsUndo) && (state_.model().flags & kBearsNone) == 0
           && state_.model().objectCount == 0 && !state_.outside();
}

/// The first time ranks ask each other. The same on all of them.
bool RankRunner::haveRoom() {
    if (!haveRoom_) haveRoom_ = link_.answer(memory_.hasRoom() ? 0 : std::uint32_t{kNoMemory}) == 0;
    return *haveRoom_;
}

std::uint32_t RankRunner::run(std::uint64_t until) {
    const std::uint32_t ended = runCycles(until);
    if (state_.outside()) state_.outside()->reach(state_.cycle());
    if (link_.problem()) std::rethrow_exception(link_.problem());
    return ended;
}

std::uint32_t RankRunner::runCycles(std::uint64_t until) {
    const std::uint32_t ended = trial_ ? tryOverlap(until) : 0;
    if (ended != 0 || state_.cycle() >= until) return ended;
    return link_.asksAlways() ? runAhead(until) : runner_.runTo(until);
}

/// All ranks do the same at the same time, also those that have nothing to compute meanwhile.
std::uint32_t RankRunner::tryOverlap(std::uint64_t until) {
    std::uint32_t ended = 0;
    while (trial_ && ended == 0 && state_.cycle() < until) {
        const OverlapTrial::Stretch stretch = link_.plan(trial_->next());
        if (cut_ && cut_->choice() == Overlap::WherePays) overlap(stretch.overlaps);
        if (stretch.isLast) {
            trial_.reset();
            break;
        }
        const std::uint64_t from = state_.cycle();
        const std::int64_t start = nowNs();
        ended = runner_.runTo(from + std::min(until - from, stretch.cycles()));
        trial_->took(state_.cycle() - from, static_cast<double>(nowNs() - start));
    }
    return ended;
}

/// Between cycles.
void RankRunner::overlap(bool overlaps) {
    if (!cut_ || overlaps == overlaps_) return;
    overlaps_ = overlaps;
    runner_.plan().exchange(other_, state_.cycle());
    link_.useCut(overlaps, overlaps ? cut_->model().work : state_.model().work);
}

std::uint32_t RankRunner::runAhead(std::uint64_t until) {
    std::uint32_t ended = 0;
    while (ended == 0 && state_.cycle() < until) {
        const bool canGoBack = bearsUndo() && haveRoom_.value_or(true);
        const AheadPace::Stretch stretch = link_.plan(pace_.next(), canGoBack);
        const std::uint64_t end =
            state_.cycle() + std::min(until - state_.cycle(), stretch.cycles());
        ended = stretch.isAhead && haveRoom() ? runStretchAhead(end) : runAsking(end);
    }
    return ended;
}

std::uint32_t RankRunner::runAsking(std::uint64_t end) {
    const std::uint64_t from = state_.cycle();
    const std::int64_t start = nowNs();
    link_.beginAsking();
    const std::uint32_t ended = runner_.runTo(end);
    pace_.asked(state_.cycle() - from, static_cast<double>(nowNs() - start),
                link_.fastestAnswerNs());
    return ended;
}

std::uint32_t RankRunner::runStretchAhead(std::uint64_t end) {
    const std::uint64_t from = state_.cycle();
    const std::int64_t start = nowNs();
    Observer* const observer = observation_.observer();
    memory_.save();
    if (observer) observer->goAhead();
    const std::int64_t saved = nowNs();
    ahead_ = 0;
    isAhead_ = true;
    state_.limitLoops(std::max(target::kAheadRounds, state_.model().uncountedRounds));
    runner_.runTo(end);
    state_.limitLoops(~std::uint64_t{0});
    isAhead_ = coasts_ = false;
    const std::uint32_t all = link_.answer(ahead_);
    if ((all & kHappened) != 0) return undo(from, end, all & kEnds);
    const auto confirm = [&] { return observer->confirm(), 0u; };
    if (observer) link_.owe(flagsOf(confirm));
    pace_.confirmed(state_.cycle() - from, static_cast<double>(nowNs() - start),
                    static_cast<double>(saved - start));
    return all & kEnds;
}

/// What happened, happens now; `flags` where ranks cannot meet any more.
std::uint32_t RankRunner::undo(std::uint64_t from, std::uint64_t end, std::uint32_t flags) {
    memory_.putBack();
    if (Observer* const observer = observation_.observer()) observer->undo();
    if (link_.problem()) return flags;
    runner_.rewind(from);
    pace_.undone();
    return runner_.runTo(end);
}

}  // namespace sme
