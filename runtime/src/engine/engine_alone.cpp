// The cycle loop of one thread.

#include <algorithm>

#include "engine/engine.h"
#include "engine/target.h"

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

/// Runs cycles after which nobody looks. Returns the last: one that left a flag, or one after which
/// somebody may look at the next.
std::uint64_t Engine::runUnseen(Worker& self, const Unit& only, std::uint64_t cycle) const {
    const bool runsStretches = (model_.flags & kRunsStretches) != 0;
    Context& context = self.context;
    enter(self, cycle);
    context.isQuiet = true;
    for (;;) {
        std::uint64_t cycles = 1;
        if (runsStretches) {
            cycles = std::min<std::uint64_t>(target::kStretch, until_ - 1 - cycle);
            only.kernel(context, 0, static_cast<std::uint32_t>(cycles));
        } else {
            only.kernel(context, only.begin, only.end);
        }
        context.cycle = cycle += cycles;
        if (self.log.flags != 0 || cycle + 1 == until_ || request() != 0) return cycle - 1;
        context.read = arena_.slotReadIn(cycle);
        context.write = arena_.slot(cycle);
    }
}

void Engine::runLevels(Schedule& schedule, const Unit& only, std::uint64_t cycle) {
    Worker& self = *team_[0];
    // the next cycle may be one of all threads
    if (&schedule != schedule_.get()) schedule_->beginCycle(cycle);
    if (only.kernel) return only.kernel(self.context, only.begin, only.end);
    for (std::uint32_t level = 0; level < levels_; ++level) {
        if (!coasts_) [[likely]]
            schedule.runLevel(self, level);
        if (link_ && level + 1 < levels_) [[unlikely]]
            link_->cross(level, cycle);
    }
}

/// One thread: no barrier, nothing atomic but the look at `request_`.
std::uint32_t Engine::runAlone(Schedule& schedule) {
    Worker& self = *team_[0];
    const Unit only = onlyUnit(schedule);
    const bool mayBeQuiet = !between_ && !after_ && !link_ && (!during_ || observer_->onlyDrives);
    const bool mayBeUnseen = only.kernel && mayBeQuiet && !during_ && &schedule == schedule_.get();
    for (std::uint64_t cycle = cycle_;; ++cycle) {
        std::uint32_t flags = request();
        const bool isQuiet = mayBeQuiet && flags == 0 && cycle != cycle_ && cycle + 1 != until_;
        if (mayBeUnseen && isQuiet) {
            cycle = runUnseen(self, only, cycle);
        } else {
            enter(self, cycle);
            if (during_) flags |= during(cycle);
            self.context.followsQuiet = self.context.isQuiet;
            self.context.isQuiet = isQuiet && flags == 0;
            runLevels(schedule, only, cycle);
        }
        flags |= self.log.flags;
        if (between_) {
            const std::uint32_t found = betweenCycles(cycle, flags);
            flags = link_ ? found : flags | found;
        }
        if ((flags & kHasOutput) != 0 || after_) flags |= settle(cycle, flags);
        if ((flags & kEnds) == 0 && cycle + 1 != until_) continue;
        self.context.isQuiet = self.context.followsQuiet = false;
        cycle_ = cycle + 1;
        return flags;
    }
}

}  // namespace sme
