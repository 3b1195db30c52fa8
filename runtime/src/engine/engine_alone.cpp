// The cycle loop of one thread.

#include <algorithm>
#include <span>

#include "engine/engine.h"

namespace sme {

/// All the work of a cycle in its order, if one thread has nothing to do between units but to go on; else
/// nothing.
std::span<const Unit> Engine::line(const Schedule& schedule) {
    const Worker& self = *team_[0];
    if (!stages_.isOne() || link_ || self.recorder || self.between || coasts_) return {};
    if (line_.empty()) {
        for (std::uint32_t level = 0; level < stages_.levels(); ++level) {
            const std::vector<Unit> units = schedule.unitsOf(level);
            line_.insert(line_.end(), units.begin(), units.end());
        }
    }
    return line_;
}

/// Others would wait in every cycle for the one that has all the work.
bool Engine::isOnePiece() const {
    return unobserved_ && stages_.levels() == 1 && schedule_->unitsOf(0).size() == 1;
}

/// The cycles from `cycle` to this one, without it, are nobody's: the observer need not be told of them.
std::uint64_t Engine::watchedFrom(std::uint64_t cycle) const {
    if (!during_ && !between_ && !after_) return until_;
    const std::uint64_t wanted = observer_->nextWanted(cycle);
    // the one in front of it, too: what variables are before it is kept behind that
    return wanted <= cycle + 1 ? cycle : std::min(until_ - 1, wanted - 1);
}

/// Cycles that nobody wants to see; returns the next one.
std::uint64_t Engine::runUnobserved(std::uint64_t cycle) {
    const std::uint64_t end = std::min(until_ - 1, watchedFrom(cycle));
    return unobserved_->run(*team_[0], cycle, end, request_, shown_);
}

/// Of a run in which somebody writes inputs in each cycle, and looks at nothing.
bool Engine::onlyDrives() const { return during_ && observer_->onlyDrives && !between_ && !after_; }

void Engine::runLevels(Schedule& schedule, std::span<const Unit> line, std::uint64_t cycle) {
    Worker& self = *team_[0];
    if (!line.empty()) return runUnits(self, line.data(), line.data() + line.size());
    // the next cycle may be one of all threads
    if (&schedule != schedule_.get()) schedule_->beginCycle(cycle);
    for (const Stage& stage : stages_) {
        self.slots = arena_.slots(cycle, stage.group);
        for (std::uint32_t level = stage.first; level <= stage.clocked; ++level) {
            if (!coasts_) [[likely]]
                schedule.runLevel(self, level);
            if (link_ && level + 1 < stages_.levels()) [[unlikely]]
                link_->cross(level, cycle);
        }
    }
}

/// The cycle that the thread has entered, and those behind it until one has left a flag, somebody wishes for
/// the end, or `last` has run. Returns the last that did.
std::uint64_t Engine::runOn(std::span<const Unit> line, std::uint64_t last) const {
    Worker& self = *team_[0];
    for (;;) {
        for (const Unit& unit : line)
            unit.entry.run(self.own, self.slots, unit.begin, unit.end);
        const std::uint64_t cycle = self.slots.cycle;
        if (self.log.flags != 0 || cycle == last || request() != 0) return cycle;
        advance(self.slots);
        // relaxed: only shown
        if (shown_) shown_->store(cycle + 1, std::memory_order_relaxed);
    }
}

/// One thread: no barrier, nothing atomic but the looks at `request_` and `shown_`. The first and
/// the last cycle of a run are observed.
std::uint32_t Engine::runAlone(Schedule& schedule) {
    Worker& self = *team_[0];
    const std::span<const Unit> line = this->line(schedule);
    UnobservedCycles* const unobserved = line.size() == 1 && unobserved_ ? &*unobserved_ : nullptr;
    const bool drives = onlyDrives();
    const bool runsOne = unobserved && drives && !unobserved->mayEnd();
    const bool runsOn = !line.empty() && !drives;
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
        std::uint64_t watched = runsOn && flags == 0 ? watchedFrom(cycle) : cycle;
        if (watched <= cycle && during_) flags |= during(cycle);
        if (runsOne && flags == 0 && cycle != cycle_ && cycle + 1 != until_) {
            unobserved->runOne(self);
            continue;
        }
        if (unobserved) {
            unobserved->settle(cycle);
            watched = std::min(watched, unobserved->askAt());
        }
        if (watched > cycle)
            cycle = runOn(line, watched - 1);
        else
            runLevels(schedule, line, cycle);
        flags |= self.log.flags;
        if (between_) {
            const std::uint32_t found = betweenCycles(cycle, flags);
            flags = link_ ? found : flags | found;
        }
        if ((flags & kHasOutput) != 0 || after_) flags |= settle(cycle, flags);
        if ((flags & kEnds) == 0 && cycle + 1 != until_) continue;
        if (!line.empty())
            schedule_->beginCycle(cycle);  // the next cycle may be one of all threads
        cycle_ = cycle + 1;
        return flags;
    }
}

}  // namespace sme
