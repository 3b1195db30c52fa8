// The cycle loop of one thread.

#include <algorithm>

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
bool Engine::mayRunOne(std::uint64_t cycle) const {
    return during_ && observer_->onlyDrives && !between_ && !after_ && !unobserved_->mayEnd()
           && cycle != cycle_ && cycle + 1 != until_;
}

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

/// One thread: no barrier, nothing atomic but the looks at `request_` and `shown_`. The first and
/// the last cycle of a run are observed.
std::uint32_t Engine::runAlone(Schedule& schedule) {
    Worker& self = *team_[0];
    const Unit only = onlyUnit(schedule);
    const bool hasUnobserved = only.kernel && unobserved_;
    for (std::uint64_t cycle = cycle_;; ++cycle) {
        std::uint32_t flags = request();
        if (hasUnobserved && flags == 0 && cycle != cycle_) {
            cycle = runUnobserved(cycle);
            flags = request();
        }
        enter(self, cycle);
        // relaxed: only shown
        if (shown_) shown_->store(cycle, std::memory_order_relaxed);
        if (during_) flags |= during(cycle);
        if (hasUnobserved) {
            if (flags == 0 && mayRunOne(cycle)) {
                unobserved_->runOne(self);
                continue;
            }
            unobserved_->settle(cycle);
        }
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
