#include "engine/team.h"

#include "schedule/recorder.h"

namespace sme {

Team::~Team() {
    if (isBound_) unbindThread(processors_);  // the caller goes on
}

void Team::configure(const EngineConfig& config, unsigned threads, const Setup& setup) {
    if (!workers_ || workers_->threads() != threads) {
        workers_.reset();
        make(threads, setup);
        workers_ = std::make_unique<Workers>(threads);
        bind(config);
    }
    barrier_ = std::make_unique<Barrier>(threads, config.scheduling.wait, config.oversubscribed);
}

void Team::make(unsigned threads, const Setup& setup) {
    members_.clear();
    logs_.clear();
    for (unsigned i = 0; i < threads; ++i) {
        members_.push_back(std::make_unique<Worker>(*setup.model, instances_, setup, i));
        logs_.push_back(&members_.back()->log);
    }
}

void Team::bind(const EngineConfig& config) {
    std::size_t processors = 0;
    for (const auto& group : processors_)
        processors += group.size();
    const Bind how = bindingOf(config, processors);
    if (how != Bind::None)
        bindThreads(*workers_, processors_, how, config.rankHere * config.running());
    else if (isBound_ || !processorsBeforeBinding().empty())
        unbindThreads(*workers_, processors_);  // new threads begin where the one is that made them
    isBound_ = how != Bind::None;
}

void Team::standBetween(OutsideWorld* outside) {
    for (const std::unique_ptr<Worker>& worker : members_)
        worker->own.outside = outside;
}

void Team::forgetLogs() {
    for (ThreadLog* log : logs_) {
        log->at(0).clear();
        log->at(1).clear();
    }
}

std::uint32_t Team::meet(Worker& worker, std::uint32_t level, std::uint32_t flags) const {
    schedulingPoint(worker);
    if (!worker.recorder) [[likely]]
        return barrier_->arrive(worker.thread, flags);
    const std::uint64_t start = ticks();
    flags = barrier_->arrive(worker.thread, flags);
    worker.recorder->add({start, ticks(), worker.slots.cycle, 0, 0, 0, level, Event::Kind::Wait});
    return flags;
}

}  // namespace sme
