// The cycle loop.
//
//   thread 0      observer.during(k)  work  |  barrier k  |  merge output of k   during(k+1)  work
//   |  … thread 1                          work  |             |  work of cycle k+1 |  …
//
// The barrier carries flags, so that all threads agree after cycle k whether it was the last one.
// While thread 0 puts the output of cycle k in order the others write the logs of cycle k + 1:
// there are two logs a thread, by parity of the cycle, and thread 0 is back before the barrier of k
// + 1, after which the first one is written again.

#include "engine/cycle_runner.h"

#include "engine/rank_runner.h"

namespace sme {

CycleRunner::CycleRunner(State& state, Observation& observation)
    : state_(state), observation_(observation), team_(state.model()), plan_(state.model()) {
    const Model& model = state.model();
    if (model.workCount == 1 && model.work[0].unobserved.cycles)
        unobserved_.emplace(model, plan_.stages().of(model.work[0].level).group, state.arena());
}

void CycleRunner::configure(const EngineConfig& config) {
    plan_.configure(config, static_cast<unsigned>(team_.processors().size()));
    team_.configure(plan_.config(), plan_.threads(), state_.setup());
    recording_.attach(team_.members(), team_.barrier());
}

void CycleRunner::rewind(std::uint64_t cycle) {
    team_.forgetLogs();
    state_.reach(cycle);
    plan_.schedule().beginCycle(cycle - 1);  // what it gets ready is for the cycle after it
}

std::uint32_t CycleRunner::runTo(std::uint64_t until) {
    until_ = until;
    team_.standBetween(state_.outside());
    team_[0].between = ranks_ ? &ranks_->link() : nullptr;
    if (staysHere())
        ended_ = runHere();
    else
        team_.workers().run(
            [](void* runner, unsigned thread) {
                static_cast<CycleRunner*>(runner)->runThread(thread);
            },
            this);
    return ended_;
}

void CycleRunner::runThread(unsigned thread) {
    const bool alone = team_.size() == 1 && plan_.config().form != Form::Scheduled;
    const std::uint32_t flags = alone ? runAlone(plan_.schedule()) : runTogether(thread);
    if (thread == 0) ended_ = flags & kEnds;
}

/// What it runs does not count, and is not run.
bool CycleRunner::coasts() const { return ranks_ && ranks_->coasts(); }

void CycleRunner::enter(Worker& worker, std::uint64_t cycle) const {
    worker.slots = state_.arena().slots(cycle, plan_.stages().begin()->group);
    worker.log.flags = 0;
}

/// After a cycle that left `flags` here; nobody runs. Of several ranks, what all agree about.
std::uint32_t CycleRunner::between(std::uint64_t cycle, std::uint32_t flags) {
    if (ranks_) return ranks_->meet(cycle, flags);
    return observation_.isBetween() ? observation_.between(cycle) : 0;
}

/// What thread 0 does while the others wait.
std::uint32_t CycleRunner::standStill(std::uint64_t cycle, std::uint32_t flags) {
    std::uint32_t found = between(cycle, flags);
    if (observation_.isAfter()) found |= observation_.settle(team_.logs(), cycle, flags | found);
    return found;
}

/// Between two levels of a cycle, what crosses: thread 0 carries it while the others wait, or, where
/// nothing of the next level is for others, while all go on.
void CycleRunner::cross(Worker& worker, std::uint32_t level) {
    if (ranks_ && ranks_->goesOn(worker, level, team_.size() - 1)) return;
    team_.meet(worker, level, 0);
    if (!ranks_ || !ranks_->link().isAt(level)) return;
    if (worker.thread == 0) ranks_->link().cross(level, worker.slots.cycle);
    team_.meet(worker, level, 0);
}

/// This thread's share of a cycle; behind the last level nobody has met.
void CycleRunner::runStages(Worker& worker, std::uint64_t cycle) {
    const std::uint32_t last = plan_.lastLevel();
    for (const Stage& stage : plan_.stages()) {
        worker.slots = state_.arena().slots(cycle, stage.group);
        for (std::uint32_t level = stage.first; level <= stage.clocked; ++level) {
            if (!coasts()) [[likely]]
                plan_.runLevel(worker, level);
            if (level != last) cross(worker, level);
        }
    }
}

/// Thread 0's own findings after the last barrier of a cycle (a file that cannot be written) wait
/// for the next one: all must agree.
std::uint32_t CycleRunner::runTogether(unsigned thread) {
    Worker& self = team_[thread];
    const std::uint64_t until = until_;
    const bool isAfter = observation_.isAfter();
    const bool stands = ranks_ || observation_.isBetween() || isAfter;
    const std::uint32_t lastLevel = plan_.lastLevel();
    std::uint32_t found = 0;
    for (std::uint64_t cycle = state_.cycle();; ++cycle) {
        self.log.flags = 0;  // slots are those of a stage
        recording_.beginCycle(self, cycle);
        if (thread == 0) {
            observation_.showCycle(cycle);
            found |= observation_.request();
            if (observation_.isDuring()) found |= observation_.during(cycle);
            plan_.schedule().beginCycle(cycle);
        }
        runStages(self, cycle);
        std::uint32_t flags = team_.meet(self, lastLevel, self.log.flags | found);
        if (stands) {
            if (thread == 0) found = (ranks_ ? 0 : found) | standStill(cycle, flags);
            if (ranks_) flags = 0;  // that all ranks agree about comes from thread 0
            flags |= team_.barrier().arrive(thread, found);
        }
        const bool last = (flags & kEnds) != 0 || cycle + 1 == until;
        if (thread == 0 && (flags & kHasOutput) != 0 && !isAfter)
            found |= observation_.settle(team_.logs(), cycle, flags);
        if (!last) continue;
        if (thread == 0) state_.reach(cycle + 1);
        return flags | found;
    }
}

}  // namespace sme
