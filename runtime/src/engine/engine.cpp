// The cycle loop.
//
//   thread 0      observer.during(k)  work  |  barrier k  |  merge output of k   during(k+1)  work
//   |  … thread 1                          work  |             |  work of cycle k+1 |  …
//
// The barrier carries flags, so that all threads agree after cycle k whether it was the last one.
// While thread 0 puts the output of cycle k in order the others write the logs of cycle k + 1:
// there are two logs a thread, by parity of the cycle, and thread 0 is back before the barrier of k
// + 1, after which the first one is written again.

#include "engine/engine.h"

#include <algorithm>
#include <chrono>

#include "output/error.h"
#include "output/log_bytes.h"

namespace sme {
namespace {

/// Thread 0 must reach the barrier whatever happens beside its cycles.
template <typename Function>
std::uint32_t guarded(const Function& function) {
    try {
        return function();
    } catch (...) {
        return kNoMemory;
    }
}

}  // namespace

const char* whyNotRunnable(const Model& model) {
    if (model.version != kModelVersion)
        return "the simulator and its runtime are of different versions";
    if (model.levels == 0) return "the model has no levels";
    for (std::uint32_t i = 0; i < model.planeCount; ++i) {
        const Plane& plane = model.planes[i];
        if (plane.type >= model.typeCount) return "a plane has no type";
        if (plane.home > Home::Constant) return "a plane without a home";
        if (plane.group != kOnlyGroup) return "a clock group that does not exist";
    }
    for (std::uint32_t i = 0; i < model.workCount; ++i) {
        if (model.work[i].level >= model.levels) return "work at a level that does not exist";
        if (i > 0 && model.work[i].level < model.work[i - 1].level)
            return "work is not ordered by level";
    }
    for (std::uint32_t i = 0; i < model.nameRunCount; ++i) {
        if (model.names[i].plane >= model.planeCount) return "a name without a plane";
    }
    return nullptr;
}

Engine::Engine(const Model& model, const EngineConfig& config, std::uint64_t seed,
               std::uint64_t loopLimit, TextSink& out, TextSink& err, const Residence* residence)
    : model_(model),
      arena_(model, config.scheduling.numa == Numa::Interleave),
      residence_(residence),
      processors_(processorGroups()),
      instances_(model),
      output_(out, err),
      setup_{model.constants, &model, seed, loopLimit},
      loopLimit_(loopLimit),
      stages_(model) {
    for (std::uint32_t level = 0; level < model.levels; ++level) {
        const LevelList list(model, level);
        steps_ += list.steps();
        pieces_ = std::max(pieces_, list.pieces());
    }
    if (residence_) arena_.settle(*residence_);
    if (model.workCount == 1 && model.work[0].unobserved.cycles)
        unobserved_.emplace(model, stages_.of(model.work[0].level).group, arena_);
    configure(config);
    const auto initialise = [](void* engine, unsigned thread) {
        auto& self = *static_cast<Engine*>(engine);
        self.arena_.initialise(thread, static_cast<unsigned>(self.team_.size()), self.residence_);
    };
    if (arena_.isBig()) {
        workers_->run(initialise, this);
    } else {
        arena_.initialise(0, 1, residence_);
    }
}

Engine::~Engine() {
    if (isBound_) unbindThread(processors_);  // the caller goes on
}

void Engine::configure(const EngineConfig& config) {
    config_ = config;
    apart_.clear();
    for (std::uint32_t work = 0; work < config.isApart.size(); ++work) {
        if (config.isApart[work]) apart_.push_back(work);
    }
    const unsigned running = config.running();
    const auto threads = running + static_cast<unsigned>(apart_.size());
    const bool isNew = !workers_ || workers_->threads() != threads;
    if (isNew) {
        workers_.reset();
        makeWorkers(threads);
        workers_ = std::make_unique<Workers>(threads);
        bind();
    }
    barrier_ = std::make_unique<Barrier>(threads, config.scheduling.wait, config.oversubscribed);
    const auto caches = static_cast<unsigned>(processors_.size());
    schedule_ = scheduleFor(model_, config, caches, times_);
    if (cut_) other_ = scheduleFor(cut_->model(), config, caches, {});
    if (overlaps_) schedule_.swap(other_);
    elided_.reset();
    line_.clear();
    recording_.attach(team_, *barrier_);
}

void Engine::bind() {
    std::size_t processors = 0;
    for (const auto& group : processors_)
        processors += group.size();
    const Bind how = bindingOf(config_, processors);
    if (how != Bind::None)
        bindThreads(*workers_, processors_, how, config_.rankHere * config_.running());
    else if (isBound_ || !processorsBeforeBinding().empty())
        unbindThreads(*workers_, processors_);  // new threads begin where the one is that made them
    isBound_ = how != Bind::None;
}

void Engine::makeWorkers(unsigned threads) {
    team_.clear();
    logs_.clear();
    for (unsigned i = 0; i < threads; ++i) {
        team_.push_back(std::make_unique<Worker>(model_, instances_, setup_, i));
        team_.back()->own.outside = outside_;
        logs_.push_back(&team_.back()->log);
    }
}

Snapshot Engine::snapshot(std::vector<std::byte> memory) const {
    Snapshot snapshot = snapshotOf(model_, arena_, cycle_, std::move(memory));
    snapshot.seed = setup_.seed;
    return snapshot;
}

void Engine::restore(const Snapshot& snapshot) {
    intervene();
    const bool isInitial = snapshot.memory.empty();
    const std::size_t bytes = 2 * model_.clockedBytes + model_.stateBytes;
    if (snapshot.design != model_.hash || (!isInitial && snapshot.memory.size() != bytes))
        throw Error(ErrorKind::State, "the state is one of another design");
    std::optional<OutsideObjects> outside;
    if (snapshot.cycle > 0 || (outside_ && outside_->known() > 0)) outside.emplace(model_, arena_);
    if (isInitial) {
        arena_.clear();
        arena_.initialise(0, 1, residence_);
    } else {
        putBack(snapshot, model_, arena_);
    }
    isRestored_ = !isInitial;
    goOn(snapshot.cycle, snapshot.seed);
}

void Engine::goOnAsPart(std::uint64_t cycle, std::uint64_t seed) {
    intervene();
    isPart_ = true;
    goOn(cycle, seed);
}

void Engine::forgetLogs() {
    for (ThreadLog* log : logs_) {
        log->at(0).clear();
        log->at(1).clear();
    }
}

void Engine::goOn(std::uint64_t cycle, std::optional<std::uint64_t> seed) {
    forgetLogs();
    cycle_ = cycle;
    setup_.seed = seed.value_or(setup_.seed);
    configure(config_);
}

void Engine::remember(OutsideLog& outside) {
    outside_ = &outside;
    for (const std::unique_ptr<Worker>& worker : team_)
        worker->own.outside = outside_;
}

void Engine::evaluate(Evaluation& evaluation) const { evaluation.run(setup_, arena_, cycle_); }

std::size_t Engine::unitCount() const {
    std::size_t count = 0;
    for (std::uint32_t level = 0; level < model_.levels; ++level)
        count += schedule_->unitsOf(level).size();
    return count;
}

std::uint32_t Engine::run(std::uint64_t until, Observer* observer) {
    if (cycle_ >= until) return 0;
    observer_ = observer;
    during_ = observer && observer->wantsDuring;
    between_ = (observer && observer->wantsBetween) || link_;
    after_ = observer && observer->wantsAfter;
    output_.forgetStop();
    const std::uint32_t ended = link_ ? runOnRanks(until) : runTo(until);
    if (outside_) outside_->reach(cycle_);
    if (link_ && link_->problem()) std::rethrow_exception(link_->problem());
    return ended;
}

std::uint32_t Engine::runTo(std::uint64_t until) {
    until_ = until;
    team_[0]->between = link_.get();
    if (staysHere())
        ended_ = runHere();
    else
        workers_->run(
            [](void* engine, unsigned thread) { static_cast<Engine*>(engine)->runThread(thread); },
            this);
    return ended_;
}

bool Engine::staysHere() {
    if (config_.form != Form::Plan || !apart_.empty() || link_) return false;
    if (recording_.isOn() || !workers_->areHere()) return false;
    if (workers_->threads() > 1 && isOnePiece()) return true;
    return shortRuns_.stays(until_ - cycle_, workers_->threads());
}

std::uint32_t Engine::runHere() {
    if (!elided_) elided_ = makeElided(*schedule_, model_.levels);
    const std::uint64_t from = cycle_;
    const auto start = std::chrono::steady_clock::now();
    const std::uint32_t flags = runAlone(*elided_) & kEnds;
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    shortRuns_.took(cycle_ - from, time.count());
    return flags;
}

void Engine::runThread(unsigned thread) {
    const bool alone = team_.size() == 1 && config_.form != Form::Scheduled;
    const std::uint32_t flags = alone ? runAlone(*schedule_) : runTogether(thread);
    if (thread == 0) ended_ = flags & kEnds;
}

void Engine::enter(Worker& worker, std::uint64_t cycle) const {
    worker.slots = arena_.slots(cycle, stages_.begin()->group);
    worker.log.flags = 0;
}

std::uint32_t Engine::during(std::uint64_t cycle) {
    return guarded([&] { return observer_->during(cycle); });
}

/// Also the place for what other ranks read of this cycle and wrote in it: nobody runs.
std::uint32_t Engine::betweenCycles(std::uint64_t cycle, std::uint32_t flags) {
    const std::uint32_t ranks = link_ ? meetRanks(cycle, flags) : 0;
    if (!observer_ || !observer_->wantsBetween) return ranks;
    const std::uint32_t found = guarded([&] { return observer_->between(cycle); });
    if (!link_) return found;
    if (isAhead_) return ranks | noteAhead(found);
    link_->owe(found);
    return ranks;
}

/// Between two levels of a cycle, what crosses: thread 0 carries it while the others wait, or, where
/// nothing of the next level is for others, while all go on.
void Engine::crossTogether(Worker& worker, std::uint32_t level) {
    if (link_ && link_->isOpen(level)) return goOnOpen(worker, level);
    meet(worker, level, 0);
    if (!link_ || !link_->isAt(level)) return;
    if (worker.thread == 0) link_->cross(level, worker.slots.cycle);
    meet(worker, level, 0);
}

void Engine::goOnOpen(const Worker& worker, std::uint32_t level) {
    if (worker.thread != 0) return link_->arrive();
    link_->open(level, worker.slots.cycle, static_cast<unsigned>(team_.size()) - 1);
}

/// The end of a cycle: its output, and what waits for it.
std::uint32_t Engine::settle(std::uint64_t cycle, std::uint32_t flags) {
    std::uint32_t found = (flags & kHasOutput) ? merge(cycle) : 0;
    if (after_ && ((flags | found) & kEnds) == 0)
        found |= guarded([&] { return observer_->after(cycle); });
    return found;
}

/// What thread 0 does while the others wait.
std::uint32_t Engine::standStill(std::uint64_t cycle, std::uint32_t flags) {
    std::uint32_t found = between_ ? betweenCycles(cycle, flags) : 0;
    if (after_) found |= settle(cycle, flags | found);
    return found;
}

std::uint32_t Engine::merge(std::uint64_t cycle) {
    return guarded(
        [&] { return isMute_ ? output_.drop(logs_, cycle) : output_.merge(logs_, cycle); });
}

/// A work with a thread of its own.
void Engine::runApart(Worker& worker, std::uint32_t level) const {
    const std::uint32_t index = apart_[worker.thread - config_.running()];
    const Work& work = model_.work[index];
    if (work.level != level) return;
    const Unit unit{work.entry, work.first, work.first + work.count, index};
    runUnits(worker, &unit, &unit + 1);
}

std::uint32_t Engine::meet(Worker& worker, std::uint32_t level, std::uint32_t flags) {
    schedulingPoint(worker);
    if (!worker.recorder) [[likely]]
        return barrier_->arrive(worker.thread, flags);
    const std::uint64_t start = ticks();
    flags = barrier_->arrive(worker.thread, flags);
    worker.recorder->add({start, ticks(), worker.slots.cycle, 0, 0, 0, level, Event::Kind::Wait});
    return flags;
}

/// Thread 0's own findings after the last barrier of a cycle (a file that cannot be written) wait
/// for the next one: all must agree.
std::uint32_t Engine::runTogether(unsigned thread) {
    Worker& self = *team_[thread];
    const std::uint64_t until = until_;
    const bool stands = between_ || after_;
    const bool isApart = thread >= config_.running();
    const std::uint32_t levels = stages_.levels();
    std::uint32_t found = 0;
    for (std::uint64_t cycle = cycle_;; ++cycle) {
        enter(self, cycle);
        recording_.beginCycle(self, cycle);
        if (thread == 0) {
            // relaxed: only shown
            if (shown_) shown_->store(cycle, std::memory_order_relaxed);
            found |= request();
            if (during_) found |= during(cycle);
            schedule_->beginCycle(cycle);
        }
        for (const Stage& stage : stages_) {
            self.slots = arena_.slots(cycle, stage.group);
            for (std::uint32_t level = stage.first; level <= stage.clocked; ++level) {
                if (!coasts_) [[likely]]
                    isApart ? runApart(self, level) : schedule_->runLevel(self, level);
                if (level + 1 != levels) crossTogether(self, level);
            }
        }
        std::uint32_t flags = meet(self, levels - 1, self.log.flags | found);
        if (stands) {
            if (thread == 0) found = (link_ ? 0 : found) | standStill(cycle, flags);
            if (link_) flags = 0;  // that all ranks agree about comes from thread 0
            flags |= barrier_->arrive(thread, found);
        }
        const bool last = (flags & kEnds) != 0 || cycle + 1 == until;
        if (thread == 0 && (flags & kHasOutput) != 0 && !after_) found |= settle(cycle, flags);
        if (!last) continue;
        if (thread == 0) cycle_ = cycle + 1;
        return flags | found;
    }
}

const std::byte* Engine::read(std::uint32_t index, std::uint64_t element,
                              std::uint64_t cycle) const {
    const Plane& plane = model_.planes[index];
    return valueOf(model_, plane, element, arena_.slots(cycle, plane.group), Moment::Within);
}

const std::byte* Engine::final(std::uint32_t index, std::uint64_t element) const {
    const Plane& plane = model_.planes[index];
    return valueOf(model_, plane, element, arena_.slots(cycle_, plane.group), Moment::Before);
}

}  // namespace sme
