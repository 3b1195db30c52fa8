// The cycle loop of one thread.

#include <algorithm>
#include <utility>

#include "engine/engine.h"

namespace sme {

/// The unit that is all the work of a cycle on one thread, if nothing beside it has to be done
/// between units; else kernel is null.
Unit Engine::onlyUnit(const Schedule& schedule) const {
    const Worker& self = *team_[0];
    if (model_.workCount != 1 || levels_ != 1 || link_ || self.recorder || self.between) return {};
    const std::vector<Unit> units = schedule.unitsOf(0);
    return units.size() == 1 ? units.front() : Unit{};
}

/// Others would wait in every cycle for the one that has all the work.
bool Engine::isOnePiece() const {
    return unobserved_ && levels_ == 1 && schedule_->unitsOf(0).size() == 1;
}

/// Cycles that nobody wants to see; returns the next one.
std::uint64_t Engine::runUnobserved(std::uint64_t cycle) {
    std::uint64_t end = until_ - 1;
    if (during_ || between_ || after_) {
        const std::uint64_t wanted = observer_->nextWanted(cycle);
        // the one in front of it, too: what variables are before it is kept behind that
        end = wanted <= cycle + 1 ? cycle : std::min(end, wanted - 1);
    }
    return unobserved_->run(*team_[0], cycle, end, request_, shown_);
}

/// Of a run in which somebody writes inputs in each cycle, and looks at nothing.
bool Engine::onlyDrives() const { return during_ && observer_->onlyDrives && !between_ && !after_; }

void Engine::runLevels(Schedule& schedule, const Unit& only, std::uint64_t cycle) {
    Worker& self = *team_[0];
    if (only.kernel) return only.kernel(self.context, only.begin, only.end);
    // the next cycle may be one of all threads
    if (&schedule != schedule_.get()) schedule_->beginCycle(cycle);
    for (std::uint32_t level = 0; level < levels_; ++level) {
        if (!coasts_) [[likely]]
            schedule.runLevel(self, level);
        if (link_ && level + 1 < levels_) [[unlikely]]
            link_->cross(level, cycle);
    }
}

/// The cycle that the thread has entered, and those behind it until one has left a flag, somebody wishes for
/// the end, or `end` has run. Returns the last.
std::uint64_t Engine::runOn(const Unit& only, std::uint64_t cycle, std::uint64_t end) const {
    Worker& self = *team_[0];
    Slots now = arena_.slots(cycle);
    for (;; ++cycle) {
        only.kernel(self.context, only.begin, only.end);
        if (self.log.flags != 0 || cycle == end || request() != 0) return cycle;
        std::swap(now.read, now.write);
        self.context.cycle = cycle + 1;
        self.context.read = now.read;
        self.context.write = now.write;
    }
}

/// One thread: no barrier, nothing atomic but the looks at `request_` and `shown_`. The first and
/// the last cycle of a run are observed.
std::uint32_t Engine::runAlone(Schedule& schedule) {
    Worker& self = *team_[0];
    const Unit only = onlyUnit(schedule);
    UnobservedCycles* const unobserved = only.kernel && unobserved_ ? &*unobserved_ : nullptr;
    const bool runsOne = unobserved && onlyDrives() && !unobserved->mayEnd();
    const bool runsOn = only.kernel && !during_ && !between_ && !after_ && !shown_;
    if (unobserved) unobserved->begin(cycle_);
    for (std::uint64_t cycle = cycle_;; ++cycle) {
        std::uint32_t flags = request();
        if (unobserved && cycle >= unobserved->askAt() && flags == 0) {
            cycle = runUnobserved(cycle);
            flags = request();
        }
        enter(self, cycle);
        // relaxed: only shown
        if (shown_) shown_->store(cycle, std::memory_order_relaxed);
        if (during_) flags |= during(cycle);
        if (runsOne && flags == 0 && cycle != cycle_ && cycle + 1 != until_) {
            unobserved->runOne(self);
            continue;
        }
        if (unobserved) unobserved->settle(cycle);
        if (runsOn && flags == 0)
            cycle = runOn(only, cycle,
                          unobserved ? std::min(unobserved->askAt(), until_) - 1 : until_ - 1);
        else
            runLevels(schedule, only, cycle);
        flags |= self.log.flags;
        if (between_) {
            const std::uint32_t found = betweenCycles(cycle, flags);
            flags = link_ ? found : flags | found;
        }
        if ((flags & kHasOutput) != 0 || after_) flags |= settle(cycle, flags);
        if ((flags & kEnds) == 0 && cycle + 1 != until_) continue;
        if (only.kernel) schedule_->beginCycle(cycle);  // the next cycle may be one of all threads
        cycle_ = cycle + 1;
        return flags;
    }
}

}  // namespace sme
