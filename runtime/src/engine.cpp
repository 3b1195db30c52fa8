// The cycle loop.
//
//   thread 0      observer.during(k)  work  |  barrier k  |  merge output of k   during(k+1)  work
//   |  … thread 1                          work  |             |  work of cycle k+1 |  …
//
// The barrier carries flags, so that all threads agree behind cycle k whether it was the last one.
// While thread 0 puts the output of cycle k in order the others write the logs of cycle k + 1:
// there are two logs a thread, by parity of the cycle, and thread 0 is back before the barrier of k
// + 1, behind which the first one is written again.

#include "engine.h"

#include <algorithm>

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
        if (plane.region == Region::Clocked && (plane.depth != 2 || plane.lag > 1)) {
            return "planes of other depths than 2 are not supported yet";
        }
        if (plane.isInput && (plane.region != Region::Clocked || plane.lag != 1))
            return "an input that is not clocked";
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
               std::uint64_t loopLimit, TextSink& out, TextSink& err)
    : model_(model),
      arena_(model),
      instances_(model),
      output_(out, err),
      seed_(seed),
      loopLimit_(loopLimit) {
    for (std::uint32_t level = 0; level < model.levels; ++level) {
        const LevelList list(model, level);
        steps_ += list.steps();
        pieces_ = std::max(pieces_, list.pieces());
    }
    configure(config);
    const auto initialise = [](void* engine, unsigned thread) {
        auto& self = *static_cast<Engine*>(engine);
        self.arena_.initialise(self.model_, thread, static_cast<unsigned>(self.threads_.size()));
    };
    if (arena_.isBig()) {
        workers_->run(initialise, this);
    } else {
        arena_.initialise(model, 0, 1);
    }
}

Engine::~Engine() = default;

void Engine::configure(const EngineConfig& config) {
    config_ = config;
    const unsigned running = config.running();
    if (!workers_ || workers_->threads() != running) {
        workers_.reset();
        makeThreads(running);
        workers_ = std::make_unique<Workers>(running);
    }
    barrier_ = std::make_unique<Barrier>(running, config.wait, config.oversubscribed);
    if (running == 1) {
        schedule_ = makeStatic(model_, 1, config.orchestrate);
    } else if (config.model == ModelKind::WorkList) {
        schedule_ = makeWorkList(model_, config.threads, config.chunk);
    } else {
        schedule_ = makeStatic(model_, config.threads, config.orchestrate);
    }
}

void Engine::makeThreads(unsigned threads) {
    threads_.clear();
    logs_.clear();
    for (unsigned i = 0; i < threads; ++i) {
        threads_.push_back(std::make_unique<Thread>(model_, instances_));
        Thread& thread = *threads_.back();
        thread.context.state = arena_.state();
        thread.context.constants = model_.constants;
        thread.context.loopLimit = loopLimit_;
        thread.context.seed = seed_;
        thread.context.model = &model_;
        thread.context.log = &thread.log;
        logs_.push_back(&thread.log);
    }
}

std::uint32_t Engine::run(std::uint64_t until, Observer* observer) {
    if (cycle_ >= until) return 0;
    until_ = until;
    observer_ = observer;
    during_ = observer && observer->wantsDuring;
    between_ = observer && observer->wantsBetween;
    output_.forgetStop();
    workers_->run(
        [](void* engine, unsigned thread) { static_cast<Engine*>(engine)->runThread(thread); },
        this);
    return ended_;
}

void Engine::runThread(unsigned thread) {
    const std::uint32_t flags = threads_.size() == 1 ? runAlone() : runTogether(thread);
    if (thread == 0) ended_ = flags & kEnds;
}

void Engine::enter(Thread& thread, std::uint64_t cycle) const {
    thread.context.cycle = cycle;
    thread.context.read = arena_.slotReadIn(cycle);
    thread.context.write = arena_.slot(cycle);
    thread.log.flags = 0;
}

std::uint32_t Engine::during(std::uint64_t cycle) {
    return guarded([&] { return observer_->during(cycle); });
}

std::uint32_t Engine::betweenCycles(std::uint64_t cycle) {
    return guarded([&] { return observer_->between(cycle); });
}

std::uint32_t Engine::merge(std::uint64_t cycle) {
    return guarded([&] { return output_.merge(logs_, cycle); });
}

/// One thread: no barrier, nothing atomic but the look at `request_`.
std::uint32_t Engine::runAlone() {
    Thread& self = *threads_[0];
    for (std::uint64_t cycle = cycle_;; ++cycle) {
        enter(self, cycle);
        std::uint32_t flags = request();
        if (during_) flags |= during(cycle);
        for (std::uint32_t level = 0; level < model_.levels; ++level)
            schedule_->runLevel(self.context, 0, level);
        flags |= self.log.flags;
        if (between_) flags |= betweenCycles(cycle);
        if (flags & kHasOutput) flags |= merge(cycle);
        if ((flags & kEnds) == 0 && cycle + 1 != until_) continue;
        cycle_ = cycle + 1;
        return flags;
    }
}

/// Thread 0's own findings behind a barrier (a file that cannot be written) wait for the next one:
/// all must agree.
std::uint32_t Engine::runTogether(unsigned thread) {
    Thread& self = *threads_[thread];
    Barrier& barrier = *barrier_;
    const std::uint64_t until = until_;
    const bool between = between_;
    const auto running = static_cast<unsigned>(threads_.size());
    const unsigned shares = config_.threads;
    std::uint32_t found = 0;
    for (std::uint64_t cycle = cycle_;; ++cycle) {
        enter(self, cycle);
        if (thread == 0) {
            found |= request();
            if (during_) found |= during(cycle);
            schedule_->beginCycle(cycle);
        }
        for (std::uint32_t level = 0;; ++level) {
            for (unsigned share = thread; share < shares; share += running)
                schedule_->runLevel(self.context, share, level);
            if (level + 1 == model_.levels) break;
            barrier.arrive(thread, 0);
        }
        const std::uint32_t flags = barrier.arrive(thread, self.log.flags | found);
        const bool last = (flags & kEnds) != 0 || cycle + 1 == until;
        if (between) {
            if (thread == 0) found |= betweenCycles(cycle);
            barrier.arrive(thread, 0);
        }
        if (thread == 0 && (flags & kHasOutput)) found |= merge(cycle);
        if (!last) continue;
        if (thread == 0) cycle_ = cycle + 1;
        return flags | found;
    }
}

const std::byte* Engine::read(std::uint32_t index, std::uint64_t element,
                              std::uint64_t cycle) const {
    const Plane& plane = model_.planes[index];
    const std::byte* base = nullptr;
    switch (plane.region) {
    case Region::Clocked:
        base = plane.lag == 0 ? arena_.slot(cycle) : arena_.slotReadIn(cycle);
        break;
    case Region::State: base = arena_.state(); break;
    case Region::Constant: base = model_.constants; break;
    }
    return base + plane.offset + element * model_.types[plane.type].bytes;
}

const std::byte* Engine::final(std::uint32_t index, std::uint64_t element) const {
    // A field without lag keeps its last value: it lies in the slot that the last cycle wrote, like
    // those that lag by one.
    const Plane& plane = model_.planes[index];
    if (plane.region != Region::Clocked) return read(index, element, cycle_);
    return arena_.slotReadIn(cycle_) + plane.offset + element * model_.types[plane.type].bytes;
}

}  // namespace sme
