#include "schedule/schedule.h"

#include <algorithm>

#include "schedule/laboratory.h"
#include "schedule/target.h"

#ifdef SME_RANDOM_DELAYS
#include <sched.h>
#endif

namespace sme {

void recordUnits(Worker& worker, const Unit* begin, const Unit* end) {
    std::uint64_t start = ticks();
    for (const Unit* unit = begin; unit != end; ++unit) {
        unit->entry.run(worker.own, worker.slots, unit->begin, unit->end);
        const std::uint64_t now = ticks();
        worker.recorder->add({start, now, worker.slots.cycle, unit->work, unit->begin, unit->end, 0,
                              Event::Kind::Unit});
        start = now;
    }
}

namespace {

/// Instances of about target::kLookCost, as many as may stand between two cuts.
std::uint32_t piecesBetweenLooks(const Work& work) {
    const double granularity = std::max(1u, work.granularity);
    const double most = target::kLookCost / std::max(work.cost, 1e-9) / granularity;
    return static_cast<std::uint32_t>(std::clamp(most, 1.0, 1e9 / granularity))
           * std::max(1u, work.granularity);
}

}  // namespace

void runUnitsLooking(Worker& worker, const Unit* begin, const Unit* end) {
    for (const Unit* unit = begin; unit != end; ++unit) {
        const std::uint32_t step = piecesBetweenLooks(worker.between->work(unit->work));
        std::uint32_t from = unit->begin;
        while (from < unit->end) {
            const bool isCut = worker.between->isWanted() && unit->end - from > step;
            const std::uint32_t to = isCut ? (from / step + 1) * step : unit->end;
            unit->entry.run(worker.own, worker.slots, from, to);
            if (worker.between->isWanted()) worker.between->look();
            from = to;
        }
    }
}

#ifdef SME_RANDOM_DELAYS
void schedulingPoint(Worker& worker) {
    const std::uint64_t x = worker.nextRandom();
    if (x % 64 == 0) sched_yield();
    if (x % 4 != 0) return;
    for (std::uint64_t i = x / 64 % 256; i > 0; --i)
        relax();
}
#endif

namespace {

/// One thread, one list a level.
class Elided final : public Schedule {
public:
    Elided(const Schedule& schedule, std::uint32_t levels) {
        for (std::uint32_t level = 0; level < levels; ++level)
            units_.push_back(schedule.unitsOf(level));
    }
    void runLevel(Worker& worker, std::uint32_t level) override {
        const std::vector<Unit>& units = units_[level];
        runUnits(worker, units.data(), units.data() + units.size());
    }
    std::vector<Unit> unitsOf(std::uint32_t level) const override { return units_[level]; }

private:
    std::vector<std::vector<Unit>> units_;
};

}  // namespace

std::unique_ptr<Schedule> makeElided(const Schedule& schedule, std::uint32_t levels) {
    return std::make_unique<Elided>(schedule, levels);
}

std::unique_ptr<Schedule> makeSchedule(const ScheduleInput& input) {
    const bool isPlain = input.scheduling.model == ModelKind::Static;
    return isPlain ? makeStatic(input) : kLaboratory.make(input);
}

}  // namespace sme
