// A level with works a (10 instances, granularity 4) and b (6 instances, granularity 1), two
// threads, equal costs: the list has 16 instances, legal places a0 a4 a8 b0 b1 … b6; the middle, 8,
// is a8: {a0-8} {a8-10 b0-6}.

#include "plan.h"

#include <algorithm>

namespace sme {
namespace {

std::uint32_t granularityOf(const Work& work) { return std::max(1u, work.granularity); }
std::uint32_t stepsOf(const Work& work) { return std::max(1u, work.steps); }
double costOf(const Work& work) { return work.cost > 0 ? work.cost : 1e-9; }

}  // namespace

LevelList::LevelList(const Model& model, std::uint32_t level) : model_(model) {
    while (first_ < model.workCount && model.work[first_].level < level)
        ++first_;
    last_ = first_;
    while (last_ < model.workCount && model.work[last_].level == level) {
        const Work& work = model.work[last_++];
        stepsAt_.push_back(steps_);
        costAt_.push_back(cost_);
        steps_ += std::uint64_t{work.count} * stepsOf(work);
        cost_ += work.count * costOf(work);
    }
}

std::uint64_t LevelList::pieces() const {
    std::uint64_t pieces = 0;
    for (std::uint32_t index = first_; index < last_; ++index) {
        const Work& work = model_.work[index];
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
    const auto behind = std::upper_bound(costAt_.begin(), costAt_.end(), cost);
    if (behind == costAt_.begin()) return begin();
    const auto index = static_cast<std::uint32_t>(behind - costAt_.begin() - 1);
    const double rest = cost - costAt_[index];
    return legal(first_ + index, rest / costOf(model_.work[first_ + index]));
}

LevelList::Place LevelList::nearestToSteps(std::uint64_t steps) const {
    const auto behind = std::upper_bound(stepsAt_.begin(), stepsAt_.end(), steps);
    if (behind == stepsAt_.begin()) return begin();
    const auto index = static_cast<std::uint32_t>(behind - stepsAt_.begin() - 1);
    const auto rest = static_cast<double>(steps - stepsAt_[index]);
    return legal(first_ + index, rest / stepsOf(model_.work[first_ + index]));
}

LevelList::Place LevelList::advance(Place from, std::uint64_t steps) const {
    Place place = from;
    while (place.work < last_ && steps > 0) {
        const Work& work = model_.work[place.work];
        const std::uint64_t left = std::uint64_t{work.count - place.instance} * stepsOf(work);
        if (steps >= left) {
            steps -= left;
            place = {place.work + 1, 0};
            continue;
        }
        const std::uint64_t granularity = granularityOf(work);
        const std::uint64_t wanted = place.instance + (steps + stepsOf(work) - 1) / stepsOf(work);
        const std::uint64_t instance = (wanted + granularity - 1) / granularity * granularity;
        if (instance >= work.count) return {place.work + 1, 0};
        return {place.work, static_cast<std::uint32_t>(instance)};
    }
    return place;
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
        if (end > place.instance) units.push_back({work.kernel, place.instance, end, place.work});
        if (place.work == to.work) break;
        place = {place.work + 1, 0};
    }
}

std::vector<std::vector<Unit>> slice(const LevelList& list, unsigned threads, Orchestrate how) {
    std::vector<std::vector<Unit>> slices(threads);
    LevelList::Place from = list.begin();
    for (unsigned thread = 0; thread < threads; ++thread) {
        LevelList::Place to = list.end();
        if (thread + 1 < threads) {
            to = how == Orchestrate::Even
                     ? list.nearestToCost(list.cost() * (thread + 1) / threads)
                     : list.nearestToSteps(list.steps() / threads * (thread + 1));
        }
        list.append(from, to, slices[thread]);
        from = to;
    }
    return slices;
}

ChunkSizes::ChunkSizes(ChunkScheme scheme, std::uint64_t, unsigned threads)
    : scheme_(scheme), threads_(threads) {}

std::uint64_t ChunkSizes::next(std::uint64_t left) {
    const std::uint64_t turn = handedOut_++;
    switch (scheme_) {
    case ChunkScheme::Static: {
        const std::uint64_t sharers =
            turn < threads_ ? threads_ - turn : 1;  // N/P, the first ones one larger
        return (left + sharers - 1) / sharers;
    }
    case ChunkScheme::SelfScheduling: return 1;
    case ChunkScheme::Guided: return (left + threads_ - 1) / threads_;
    }
    return 1;
}

ChunkTable cutIntoChunks(const LevelList& list, unsigned threads, ChunkScheme scheme) {
    ChunkTable table;
    ChunkSizes sizes(scheme, list.steps(), threads);
    LevelList::Place from = list.begin();
    while (!(from == list.end())) {
        const std::uint64_t left =
            std::max<std::uint64_t>(1, list.steps() - list.stepsBefore(from));
        const LevelList::Place to = list.advance(from, sizes.next(left));
        table.starts.push_back(static_cast<std::uint32_t>(table.units.size()));
        list.append(from, to, table.units);
        from = to;
    }
    table.starts.push_back(static_cast<std::uint32_t>(table.units.size()));
    return table;
}

}  // namespace sme
