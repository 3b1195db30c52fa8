// An engine that is one rank of several.
//
// In a design that can stop, fail or print, ranks ask each other after each cycle, or run ahead:
//
//   save  cycle cycle … cycle  ask: nothing happened    save  cycle … cycle  ask: it did  go back,
//   and run the same cycles once more, asking after each
//
// While ranks run ahead nothing is written, and rows of traces are kept back; a rank on which
// something happened exchanges what it has and runs nothing, for all of it will be undone.

#include <algorithm>

#include "engine/engine.h"
#include "engine/target.h"
#include "output/log_bytes.h"
#include "schedule/machine.h"

namespace sme {
namespace {

template <typename Function>
std::uint32_t guardedOnRank(const Function& function) {
    try {
        return function();
    } catch (...) {
        return kNoMemory;
    }
}

/// What the processes of a design did, of what ranks find in a cycle.
constexpr std::uint32_t kHappened = (kEnds & ~std::uint32_t{kRequested}) | kHasOutput;

}  // namespace

/// Before the first cycle a rank reads initial values of others, too. A state has all.
void Engine::connect(Transport& transport, const std::vector<Halo>& halos, const BorderFirst* cut) {
    if (transport.size() == 1) return;
    const std::span begun(halos.data(), isRestored_ ? 0 : halos.size());
    for (const Halo& halo : begun)
        for (const PlaneRange& range : halo.receives)
            arena_.initialise(range.plane, {range.first, range.first + range.count});
    const RankWait wait{config_.scheduling.wait, config_.oversubscribed};
    const bool isCut = cut && cut->cutLevels() > 0;
    const std::vector<Halo> cutHalos = isCut ? cut->halos(halos) : std::vector<Halo>();
    link_ = std::make_unique<RankLink>(transport, halos, cutHalos, model_, arena_, wait);
    memory_.emplace(model_, residence_, halos, arena_);
    haveRoom_.reset();
    const RankChoices choices = choicesOfEnvironment();
    const double copyNs = static_cast<double>(memory_->bytes()) / target::kCopyBytesPerNs;
    pace_ = choices.neverAhead ? AheadPace::never()
            : choices.ahead    ? AheadPace::always(*choices.ahead)
                               : AheadPace(copyNs);
    if (isPart_) tellRestored();
    if (isCut) {
        cut_ = cut;
        configure(config_);
    }
    if (!cut) return;
    constexpr std::uint32_t kTries = 1;
    const bool tries = isCut && cut->choice() == Overlap::WherePays;
    if (isCut && !tries) overlap(true);
    if (link_->answer(tries ? kTries : 0) != 0) trial_.emplace();
}

/// As after the last cycle before the state.
void Engine::tellRestored() {
    isPart_ = false;
    for (std::uint32_t level = 0; level < model_.levels; ++level)
        link_->cross(level, cycle_ - 1);
    link_->beginWaiting();
    if (link_->problem()) std::rethrow_exception(link_->problem());
}

/// With other ranks only what all agree about ends a run.
std::uint32_t Engine::meetRanks(std::uint64_t cycle, std::uint32_t flags) {
    link_->cross(stages_.levels() - 1, cycle);
    if (isAhead_) return noteAhead(flags);
    const std::uint32_t agreed = link_->agree(cycle, flags);
    if ((agreed & kHasOutput) != 0) link_->owe(guardedOnRank([&] { return mergeRanks(cycle); }));
    return agreed & kEnds;
}

/// What all ranks had to say, on rank 0.
std::uint32_t Engine::mergeRanks(std::uint64_t cycle) {
    if (!link_->isFirst()) {
        link_->gather(packLogs(logs_, cycle));
        return output_.drop(logs_, cycle);
    }
    for (const std::vector<std::byte>& bytes : link_->gather({}))
        output_.take(unpackLogs(bytes));
    return output_.merge(logs_, cycle);
}

/// Thread 0, while the others stand still.
std::uint32_t Engine::noteAhead(std::uint32_t flags) {
    ahead_ |= flags;
    coasts_ = (ahead_ & kHappened) != 0;
    return link_->problem() ? std::uint32_t{kNoMemory} : 0;
}

/// Neighbours of a rank on which something happened go on with values that no run has.
bool Engine::bearsUndo() const {
    constexpr std::uint32_t kBearsNone = kHasEffects | kTrustsValues;
    return (!observer_ || observer_->bearsUndo) && (model_.flags & kBearsNone) == 0
           && model_.objectCount == 0 && !outside_;
}

/// The first time ranks ask each other. The same on all of them.
bool Engine::haveRoom() {
    if (!haveRoom_)
        haveRoom_ = link_->answer(memory_->hasRoom() ? 0 : std::uint32_t{kNoMemory}) == 0;
    return *haveRoom_;
}

std::uint32_t Engine::runOnRanks(std::uint64_t until) {
    const std::uint32_t ended = trial_ ? tryOverlap(until) : 0;
    if (ended != 0 || cycle_ >= until) return ended;
    return link_->asksAlways() ? runAhead(until) : runTo(until);
}

/// All ranks do the same at the same time, also those that have nothing to compute meanwhile.
std::uint32_t Engine::tryOverlap(std::uint64_t until) {
    std::uint32_t ended = 0;
    while (trial_ && ended == 0 && cycle_ < until) {
        const OverlapTrial::Stretch stretch = link_->plan(trial_->next());
        if (cut_ && cut_->choice() == Overlap::WherePays) overlap(stretch.overlaps);
        if (stretch.isLast) {
            trial_.reset();
            break;
        }
        const std::uint64_t from = cycle_;
        const std::int64_t start = nowNs();
        ended = runTo(cycle_ + std::min(until - cycle_, stretch.cycles()));
        trial_->took(cycle_ - from, static_cast<double>(nowNs() - start));
    }
    return ended;
}

/// Between cycles.
void Engine::overlap(bool overlaps) {
    if (!cut_ || overlaps == overlaps_) return;
    const Model& model = overlaps ? cut_->model() : model_;
    overlaps_ = overlaps;
    schedule_.swap(other_);
    stages_ = Stages(model);
    schedule_->beginCycle(cycle_ - 1);  // what it gets ready is for the cycle after it
    link_->useCut(overlaps, model.work);
}

std::uint32_t Engine::runAhead(std::uint64_t until) {
    std::uint32_t ended = 0;
    while (ended == 0 && cycle_ < until) {
        const bool canGoBack = bearsUndo() && haveRoom_.value_or(true);
        const AheadPace::Stretch stretch = link_->plan(pace_->next(), canGoBack);
        const std::uint64_t end = cycle_ + std::min(until - cycle_, stretch.cycles());
        ended = stretch.isAhead && haveRoom() ? runStretchAhead(end) : runAsking(end);
    }
    return ended;
}

std::uint32_t Engine::runAsking(std::uint64_t end) {
    const std::uint64_t from = cycle_;
    const std::int64_t start = nowNs();
    link_->beginAsking();
    const std::uint32_t ended = runTo(end);
    pace_->asked(cycle_ - from, static_cast<double>(nowNs() - start), link_->fastestAnswerNs());
    return ended;
}

std::uint32_t Engine::runStretchAhead(std::uint64_t end) {
    const std::uint64_t from = cycle_;
    const std::int64_t start = nowNs();
    memory_->save();
    if (observer_) observer_->goAhead();
    const std::int64_t saved = nowNs();
    ahead_ = 0;
    isAhead_ = true;
    limitLoops(std::min(loopLimit_, std::max(target::kAheadRounds, model_.uncountedRounds)));
    runTo(end);
    limitLoops(loopLimit_);
    isAhead_ = coasts_ = false;
    const std::uint32_t all = link_->answer(ahead_);
    if ((all & kHappened) != 0) return undo(from, end, all & kEnds);
    const auto confirm = [&] { return observer_->confirm(), 0u; };
    if (observer_) link_->owe(guardedOnRank(confirm));
    pace_->confirmed(cycle_ - from, static_cast<double>(nowNs() - start),
                     static_cast<double>(saved - start));
    return all & kEnds;
}

/// Of each activation from the next cycle on.
void Engine::limitLoops(std::uint64_t rounds) { setup_.loopLimit = rounds; }

/// What happened, happens now; `flags` where ranks cannot meet any more.
std::uint32_t Engine::undo(std::uint64_t from, std::uint64_t end, std::uint32_t flags) {
    memory_->putBack();
    if (observer_) observer_->undo();
    if (link_->problem()) return flags;
    forgetLogs();
    cycle_ = from;
    schedule_->beginCycle(from - 1);  // what it gets ready is for the cycle after it
    pace_->undone();
    return runTo(end);
}

}  // namespace sme
