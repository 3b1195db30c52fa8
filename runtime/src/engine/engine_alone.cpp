// The cycle loop of one thread.

#include "engine/engine.h"

namespace sme {

/// The unit that is all the work of a cycle on one thread, if nothing beside it has to be done
/// between units; else kernel is null.
Unit Engine::onlyUnit(const Schedule& schedule) const {
    const Worker& self = *team_[0];
    const bool keepsCount =
        &schedule == schedule_.get() && config_.scheduling.model != ModelKind::Static;
    if (model_.workCount != 1 || levels_ != 1 || link_ || self.recorder || self.between
        || keepsCount)
        return {};
    const std::vector<Unit> units = schedule.unitsOf(0);
    return units.size() == 1 ? units.front() : Unit{};
}

/// One thread: no barrier, nothing atomic but the look at `request_`.
std::uint32_t Engine::runAlone(Schedule& schedule) {
    Worker& self = *team_[0];
    const Unit only = onlyUnit(schedule);
    const bool mayBeQuiet = !between_ && !after_ && !link_ && (!during_ || observer_->onlyDrives);
    for (std::uint64_t cycle = cycle_;; ++cycle) {
        enter(self, cycle);
        std::uint32_t flags = request();
        if (during_) flags |= during(cycle);
        self.context.isQuiet = mayBeQuiet && flags == 0 && cycle + 1 != until_;
        // the next cycle may be one of all threads
        if (&schedule != schedule_.get()) schedule_->beginCycle(cycle);
        if (only.kernel) only.kernel(self.context, only.begin, only.end);
        for (std::uint32_t level = 0; !only.kernel && level < levels_; ++level) {
            if (!coasts_) [[likely]]
                schedule.runLevel(self, level);
            if (link_ && level + 1 < levels_) [[unlikely]]
                link_->cross(level, cycle);
        }
        flags |= self.log.flags;
        if (between_) {
            const std::uint32_t found = betweenCycles(cycle, flags);
            flags = link_ ? found : flags | found;
        }
        if ((flags & kHasOutput) != 0 || after_) flags |= settle(cycle, flags);
        if ((flags & kEnds) == 0 && cycle + 1 != until_) continue;
        self.context.isQuiet = false;
        cycle_ = cycle + 1;
        return flags;
    }
}

}  // namespace sme
