// Model m2. What a thread runs at each level is fixed before the run, so that nothing is shared but
// the barrier. With one thread this is the whole list in order.

#include <vector>

#include "schedule/laboratory.h"
#include "schedule/schedule.h"

namespace sme {
namespace {

class StaticSlices final : public Schedule {
public:
    StaticSlices(std::vector<Slices> levels, const Crew& crew)
        : levels_(std::move(levels)), crew_(crew) {}

    void runLevel(Worker& worker, std::uint32_t level) override {
        for (unsigned share = worker.thread; share < crew_.shares; share += crew_.running) {
            const std::vector<Unit>& units = levels_[level][share];
            runUnits(worker, units.data(), units.data() + units.size());
        }
    }

    std::vector<Unit> unitsOf(std::uint32_t level) const override {
        std::vector<Unit> all;
        for (const std::vector<Unit>& units : levels_[level])
            all.insert(all.end(), units.begin(), units.end());
        return all;
    }

private:
    std::vector<Slices> levels_;  ///< read only after construction
    const Crew crew_;
};

}  // namespace

Deal dealPieces(const Model& model, const Scheduling& scheduling, const std::vector<Piece>& pieces,
                unsigned threads) {
    switch (scheduling.orchestrate) {
    case Orchestrate::MonteCarlo:
    case Orchestrate::Optimize: return kLaboratory.deal(model, scheduling, pieces, threads);
    case Orchestrate::Even:
    case Orchestrate::Thesis:
    case Orchestrate::RoundRobin:
    case Orchestrate::Profile: break;
    }
    return dealByProfile(pieces, threads);
}

std::unique_ptr<Schedule> makeStatic(const ScheduleInput& input) {
    std::vector<Slices> levels;
    const bool isMeasured = needsTimes(input.scheduling) && !input.times.empty();
    const unsigned threads = input.crew.shares;
    for (std::uint32_t level = 0; level < input.model.levels; ++level) {
        if (isMeasured && threads > 1) {
            const std::vector<Piece>& pieces = input.times[level];
            levels.push_back(toSlices(
                pieces, dealPieces(input.model, input.scheduling, pieces, threads), threads));
        } else {
            const LevelList list(input.model, level, input.isApart);
            levels.push_back(slice(list, threads, input.scheduling.orchestrate));
        }
    }
    return std::make_unique<StaticSlices>(std::move(levels), input.crew);
}

std::unique_ptr<Schedule> makePieces(const ScheduleInput& input) {
    std::vector<Slices> levels;
    const unsigned threads = input.crew.shares;
    for (const std::vector<Piece>& pieces : input.times) {
        const Deal deal = dealPieces(input.model, input.scheduling, pieces, threads);
        levels.emplace_back(threads);
        for (std::size_t i = 0; i < pieces.size(); ++i)
            levels.back()[deal[i]].push_back(pieces[i].unit);
    }
    return std::make_unique<StaticSlices>(std::move(levels), input.crew);
}

}  // namespace sme
