#include "engine/cycle_plan.h"

namespace sme {

void CyclePlan::configure(const EngineConfig& config, unsigned caches) {
    config_ = config;
    apart_.clear();
    for (std::uint32_t work = 0; work < config_.isApart.size(); ++work) {
        if (config_.isApart[work]) apart_.push_back(work);
    }
    now_.schedule = scheduleFor(model_, config_, caches, times_);
    now_.stages = Stages(model_);
    elided_.reset();
    line_.clear();
}

void CyclePlan::exchange(Staged& other, std::uint64_t cycle) {
    std::swap(now_, other);
    elided_.reset();
    line_.clear();
    now_.schedule->beginCycle(cycle - 1);  // what it gets ready is for the cycle after it
}

Schedule& CyclePlan::elided() {
    if (!elided_) elided_ = makeElided(*now_.schedule, now_.stages.levels());
    return *elided_;
}

std::span<const Unit> CyclePlan::line() {
    if (!line_.empty()) return line_;
    for (std::uint32_t level = 0; level < now_.stages.levels(); ++level) {
        const std::vector<Unit> units = now_.schedule->unitsOf(level);
        line_.insert(line_.end(), units.begin(), units.end());
    }
    return line_;
}

std::size_t CyclePlan::unitCount() const {
    std::size_t count = 0;
    for (std::uint32_t level = 0; level < now_.stages.levels(); ++level)
        count += now_.schedule->unitsOf(level).size();
    return count;
}

/// A work with a thread of its own.
void CyclePlan::runApart(Worker& worker, std::uint32_t level) const {
    const std::uint32_t index = apart_[worker.thread - config_.running()];
    const Work& work = model_.work[index];
    if (work.level != level) return;
    const Unit unit{work.entry, work.first, work.first + work.count, index};
    runUnits(worker, &unit, &unit + 1);
}

}  // namespace sme
