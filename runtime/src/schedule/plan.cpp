// A level with works a (10 instances, granularity 4) and b (6 instances, granularity 1), two
// threads, equal costs: the list has 16 instances, legal places a0 a4 a8 b0 b1 … b6; the middle, 8,
// is a8: {a0-8} {a8-10 b0-6}.

#include "schedule/plan.h"

#include <algorithm>

namespace sme {
namespace {

std::uint32_t granularityOf(const Work& work) { return std::max(1u, work.granularity); }
std::uint32_t stepsOf(const Work& work) { return std::max(1u, work.steps); }
double costOf(const Work& work) { return work.cost > 0 ? work.cost : 1e-9; }

}  // namespace

LevelList::LevelList(const Model& model, std::uint32_t level, const std::vector<bool>& isApart)
    : model_(model), isApart_(isApart) {
    while (first_ < model.workCount && model.work[first_].level < level)
        ++first_;
    last_ = first_;
    while (last_ < model.workCount && model.work[last_].level == level) {
        const Work& work = model.work[last_];
        stepsAt_.push_back(steps_);
        costAt_.push_back(cost_);
        if (!has(last_++)) continue;
        steps_ += std::uint64_t{work.count} * stepsOf(work);
        cost_ += work.count * costOf(work);
    }
}

std::uint64_t LevelList::pieces() const {
    std::uint64_t pieces = 0;
    for (std::uint32_t index = first_; index < last_; ++index) {
        const Work& work = model_.work[index];
        if (!has(index)) continue;
        pieces += (std::uint64_t{work.count} + granularityOf(work) - 1) / granularityOf(work);
    }
    return pieces;
}

LevelList::Place LevelList::legal(std::uint32_t work, double instance) const {
    const double granularity = granularityOf(model_.work[work]);
    const double count = model_.work[work].count;
    double below =
        static_cast<double>(static_cast<std::uint64_t>(instance / granularity)) * granularity;
    const double above = std::min(below + granularity, count);
    if (instance - below >= above - instance) below = above;
    if (below >= count) return {work + 1, 0};
    return {work, static_cast<std::uint32_t>(below)};
}

LevelList::Place LevelList::nearestToCost(double cost) const {
    const auto after = std::upper_bound(costAt_.begin(), costAt_.end(), cost);
    if (after == costAt_.begin()) return begin();
    const auto index = static_cast<std::uint32_t>(after - costAt_.begin() - 1);
    const double rest = cost - costAt_[index];
    return legal(first_ + index, rest / costOf(model_.work[first_ + index]));
}

LevelList::Place LevelList::nearestToSteps(std::uint64_t steps) const {
    const auto after = std::upper_bound(stepsAt_.begin(), stepsAt_.end(), steps);
    if (after == stepsAt_.begin()) return begin();
    const auto index = static_cast<std::uint32_t>(after - stepsAt_.begin() - 1);
    const auto rest = static_cast<double>(steps - stepsAt_[index]);
    return legal(first_ + index, rest / stepsOf(model_.work[first_ + index]));
}

std::uint64_t LevelList::stepsBefore(Place place) const {
    if (place.work >= last_) return steps_;
    return stepsAt_[place.work - first_]
           + std::uint64_t{place.instance} * stepsOf(model_.work[place.work]);
}

void LevelList::append(Place from, Place to, std::vector<Unit>& units) const {
    for (Place place = from; place.work < to.work || place.instance < to.instance;) {
        const Work& work = model_.work[place.work];
        const std::uint32_t end = place.work < to.work ? work.count : to.instance;
        if (end > place.instance && has(place.work))
            units.push_back(
                {work.entry, work.first + place.instance, work.first + end, place.work});
        if (place.work == to.work) break;
        place = {place.work + 1, 0};
    }
}

std::uint64_t stepsPerCycle(const Model& model) {
    std::uint64_t steps = 0;
    for (std::uint32_t level = 0; level < model.levels; ++level)
        steps += LevelList(model, level).steps();
    return steps;
}

std::uint64_t mostPieces(const Model& model) {
    std::uint64_t pieces = 1;
    for (std::uint32_t level = 0; level < model.levels; ++level)
        pieces = std::max(pieces, LevelList(model, level).pieces());
    return pieces;
}

std::vector<Unit> cutIntoPieces(const LevelList& list, std::uint64_t most) {
    std::vector<Unit> pieces;
    LevelList::Place from = list.begin();
    const std::uint64_t count = std::min(std::max<std::uint64_t>(1, most), list.pieces());
    for (std::uint64_t i = 1; i < count; ++i) {
        const double cost = list.cost() * static_cast<double>(i) / static_cast<double>(count);
        const LevelList::Place to = list.nearestToCost(cost);
        list.append(from, to, pieces);
        from = to;
    }
    list.append(from, list.end(), pieces);
    return pieces;
}

}  // namespace sme
