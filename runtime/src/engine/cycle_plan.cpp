#include "engine/cycle_plan.h"

namespace sme {

void CyclePlan::configure(const EngineConfig& config, unsigned caches) {
    config_ = config;
    apart_.clear();
    for (std::uint32_t work = 0; work < config_.isApart.size(); ++work) {
        if (config_.isApart[work]) apart_.push_back(work);
    }
    schedule_ = scheduleFor(model_, config_, caches, times_);
    stages_ = Stages(model_);
    elided_.reset();
    line_.clear();
}

void CyclePlan::exchange(std::unique_ptr<Schedule>& schedule, Stages& stages, std::uint64_t cycle) {
    schedule_.swap(schedule);
    std::swap(stages_, stages);
    elided_.reset();
    line_.clear();
    schedule_->beginCycle(cycle - 1);  // what it gets ready is for the cycle after it
}

Schedule& CyclePlan::elided() {
    if (!elided_) elided_ = makeElided(*schedule_, stages_.levels());
    return *elided_;
}

std::span<const Unit> CyclePlan::line() {
    if (!line_.empty()) return line_;
    for (std::uint32_t level = 0; level < stages_.levels(); ++level) {
        const std::vector<Unit> units = schedule_->unitsOf(level);
        line_.insert(line_.end(), units.begin(), units.end());
    }
    return line_;
}

std::size_t CyclePlan::unitCount() const {
    std::size_t count = 0;
    for (std::uint32_t level = 0; level < stages_.levels(); ++level)
        count += schedule_->unitsOf(level).size();
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
