#include "engine/recording.h"

#include <algorithm>

namespace sme {

void Recording::attach(const Team& team, Barrier& barrier) {
    team_ = &team;
    barrier_ = &barrier;
    keepEvents(capacity_);
    timeIdle(idleEvery_);
}

void Recording::keepEvents(std::size_t capacity) {
    capacity_ = capacity;
    recorders_.clear();
    for (const auto& worker : *team_) {
        if (capacity > 0) recorders_.push_back(std::make_unique<Recorder>(capacity));
        worker->recorder = capacity > 0 ? recorders_.back().get() : nullptr;
    }
}

std::vector<std::vector<Event>> Recording::events() const {
    std::vector<std::vector<Event>> result;
    for (const auto& recorder : recorders_)
        result.push_back(recorder->events());
    return result;
}

bool Recording::lostEvents() const {
    return std::any_of(recorders_.begin(), recorders_.end(),
                       [](const auto& recorder) { return recorder->lost(); });
}

void Recording::timeIdle(std::uint64_t everyCycles) {
    idleEvery_ = everyCycles;
    for (const auto& worker : *team_) {
        worker->searched = 0;
        worker->timesIdle = false;
        barrier_->timeWaits(worker->thread, false);
    }
    idleBefore_.clear();
    for (const auto& worker : *team_)
        idleBefore_.push_back(barrier_->waited(worker->thread));
}

std::vector<std::uint64_t> Recording::idleTicks() const {
    std::vector<std::uint64_t> result;
    for (const auto& worker : *team_) {
        const unsigned thread = worker->thread;
        const std::uint64_t waited = barrier_->waited(thread) - idleBefore_[thread];
        result.push_back((waited + worker->searched) * std::max<std::uint64_t>(1, idleEvery_));
    }
    return result;
}

}  // namespace sme
