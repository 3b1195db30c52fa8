// The cycle loop of one thread.

#include <algorithm>
#include <chrono>
#include <span>

#include "engine/cycle_runner.h"
#include "engine/rank_runner.h"

namespace sme {

/// What is for all threads, of few cycles, or of a design that is one piece.
bool CycleRunner::staysHere() {
    Workers& workers = team_.workers();
    const EngineConfig& config = plan_.config();
    if (config.form != Form::Plan || plan_.threads() != config.running() || ranks_) return false;
    if (recording_.isOn() || !workers.areHere()) return false;
    // others would wait in every cycle for the one that has all the work
    if (workers.threads() > 1 && unobserved_ && plan_.line().size() == 1) return true;
    return shortRuns_.stays(until_ - state_.cycle(), workers.threads());
}

std::uint32_t CycleRunner::runHere() {
    const std::uint64_t from = state_.cycle();
    const auto start = std::chrono::steady_clock::now();
    const std::uint32_t flags = runAlone(plan_.elided()) & kEnds;
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    shortRuns_.took(state_.cycle() - from, time.count());
    return flags;
}

void CycleRunner::runLevels(Schedule& schedule, std::span<const Unit> line, std::uint64_t cycle) {
    Worker& self = team_[0];
    if (!line.empty()) return runUnits(self, line.data(), line.data() + line.size());
    // the next cycle may be one of all threads
    if (&schedule != &plan_.schedule()) plan_.schedule().beginCycle(cycle);
    for (const Stage& stage : plan_.stages()) {
        self.slots = state_.arena().slots(cycle, stage.group);
        for (std::uint32_t level = stage.first; level <= stage.clocked; ++level) {
            if (!coasts()) [[likely]]
                schedule.runLevel(self, level);
            if (ranks_ && level != plan_.lastLevel()) [[unlikely]]
                ranks_->link().cross(level, cycle);
        }
    }
}

/// The cycle that the thread has entered, and those behind it until one has left a flag, somebody wishes for
/// the end, or `last` has run. Returns the last that did.
std::uint64_t CycleRunner::runOn(std::span<const Unit> line, std::uint64_t last) const {
    Worker& self = team_[0];
    for (;;) {
        for (const Unit& unit : line)
            unit.entry.run(self.own, self.slots, unit.begin, unit.end);
        const std::uint64_t cycle = self.slots.cycle;
        if (self.log.flags != 0 || cycle == last || observation_.request() != 0) return cycle;
        advance(self.slots);
        observation_.showCycle(cycle + 1);
    }
}

/// One thread: no barrier, nothing atomic but looks at a request and showing the cycle. The first and
/// the last cycle of a run are observed.
std::uint32_t CycleRunner::runAlone(Schedule& schedule) {
    Worker& self = team_[0];
    // all the work of a cycle in its order, if there is nothing to do between units but to go on
    const bool goesOn = plan_.stages().isOne() && !ranks_ && !self.recorder;
    const std::span<const Unit> line = goesOn ? plan_.line() : std::span<const Unit>();
    UnobservedCycles* const unobserved = line.size() == 1 && unobserved_ ? &*unobserved_ : nullptr;
    const std::uint64_t first = state_.cycle();
    const bool drives = observation_.onlyDrives();
    const bool runsOne = unobserved && drives && !unobserved->mayEnd();
    const bool runsOn = !line.empty() && !drives;
    const bool stands = ranks_ || observation_.isBetween();
    if (unobserved) unobserved->begin(first);
    for (std::uint64_t cycle = first;; ++cycle) {
        std::uint32_t flags = observation_.request();
        std::uint64_t watched = cycle;  // up to it nobody has to be told
        if (unobserved && cycle >= unobserved->askAt() && flags == 0) {
            watched = observation_.watchedFrom(cycle, until_);
            const std::uint64_t end = std::min(until_ - 1, watched);
            cycle = unobserved->run(self, cycle, end, observation_.watched(), observation_.shown());
            flags = observation_.request();
        }
        enter(self, cycle);
        observation_.showCycle(cycle);
        if (!runsOn || flags != 0)
            watched = cycle;
        else if (watched <= cycle)
            watched = observation_.watchedFrom(cycle, until_);
        if (watched <= cycle && observation_.isDuring()) flags |= observation_.during(cycle);
        if (runsOne && flags == 0 && cycle != first && cycle + 1 != until_) {
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
        if (stands) {
            const std::uint32_t found = between(cycle, flags);
            flags = ranks_ ? found : flags | found;
        }
        if ((flags & kHasOutput) != 0 || observation_.isAfter())
            flags |= observation_.settle(team_.logs(), cycle, flags);
        if ((flags & kEnds) == 0 && cycle + 1 != until_) continue;
        if (!line.empty())
            plan_.schedule().beginCycle(cycle);  // the next cycle may be one of all threads
        state_.reach(cycle + 1);
        return flags;
    }
}

}  // namespace sme
