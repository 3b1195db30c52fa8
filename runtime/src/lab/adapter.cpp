#include "lab/adapter.h"

#include <algorithm>
#include <numeric>

#include "lab/target.h"
#include "tuning/trial.h"

namespace sme {
namespace {

double makespanOf(const Model& model, const Scheduling& scheduling, const Times& dealtBy,
                  const Times& times, unsigned threads) {
    double sum = 0;
    for (std::size_t level = 0; level < times.size(); ++level) {
        const Deal deal = dealPieces(model, scheduling, dealtBy[level], threads);
        if (!deal.empty()) sum += makespan(times[level], deal, threads);
    }
    return sum;
}

}  // namespace

bool LoadWatch::note(double imbalance) {
    imbalances_.push_back(imbalance);
    if (imbalances_.size() > target::kWindows) imbalances_.pop_front();
    if (patience_ > 0) --patience_;
    if (imbalances_.size() < target::kWindows || patience_ > 0) return false;
    std::vector<double> sorted(imbalances_.begin(), imbalances_.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted[target::kWindows / 2] > target::kHighImbalance;
}

void LoadWatch::planChanged() {
    imbalances_.clear();
    backOff_ = 1;
}

void LoadWatch::planKept() {
    patience_ = backOff_;
    backOff_ = std::min(2 * backOff_, target::kLongestBackOff);
}

std::uint64_t Adapter::ahead(std::uint64_t cycles) const {
    return engine_.cycle() + std::min(cycles, until_ - engine_.cycle());
}

std::uint32_t Adapter::run() {
    while (!over()) {
        const double imbalance = imbalanceOfWindow();
        if (!over() && watch_.note(imbalance)) measureAndPlan();
    }
    return ended_;
}

/// Runs one window.
double Adapter::imbalanceOfWindow() {
    engine_.runner().recording().timeIdle(1);
    const std::uint64_t start = ticks();
    ended_ = engine_.run(ahead(window_), &observer_);
    const auto wall = static_cast<double>(ticks() - start);
    double highest = 0, sum = 0;
    const std::vector<std::uint64_t> idle = engine_.runner().recording().idleTicks();
    const unsigned running = engine_.config().running();
    for (unsigned thread = 0; thread < running; ++thread) {
        const double busy = std::max(0.0, wall - static_cast<double>(idle[thread]));
        highest = std::max(highest, busy);
        sum += busy;
    }
    return sum > 0 ? highest * running / sum : 1;
}

void Adapter::measureAndPlan() {
    EngineConfig config = engine_.config();
    const Times before = engine_.runner().plan().times();
    Times now = before;
    config.form = Form::Pieces;
    engine_.configure(config);
    const TickRate rate;
    engine_.runner().recording().timeIdle(0);
    engine_.runner().recording().keepEvents(engine_.runner().plan().unitCount()
                                            * (target::kMeasuredCycles + 1)
                                            * (engine_.model().levels + 1));
    ended_ = engine_.run(ahead(target::kMeasuredCycles), &observer_);
    setMedians(now, engine_.runner().recording().events(), rate.nsPerTick());
    engine_.runner().recording().keepEvents(0);
    config.form = Form::Plan;
    const double old = makespanOf(engine_.model(), config.scheduling, before, now, config.threads);
    const double fresh = makespanOf(engine_.model(), config.scheduling, now, now, config.threads);
    if (fresh < target::kWorthANewPlan * old) {
        engine_.runner().plan().setTimes(std::move(now));
        ++plans_;
        watch_.planChanged();
    } else {
        watch_.planKept();
    }
    engine_.configure(config);
}

}  // namespace sme
