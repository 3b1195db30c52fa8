#include "tuning/trial.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "schedule/recorder.h"
#include "tuning/target.h"

namespace sme {
namespace {

double median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

std::uint64_t piecesFor(unsigned threads) {
    return target::kPiecesPerThread * std::max(2u, threads);
}

Times estimatedPieces(const Model& model, const std::vector<bool>& isApart, std::uint64_t most) {
    Times times;
    for (std::uint32_t level = 0; level < model.levels; ++level) {
        times.emplace_back();
        for (const Unit& unit : cutIntoPieces(LevelList(model, level, isApart), most)) {
            const double cost = model.work[unit.work].cost * (unit.end - unit.begin);
            times.back().push_back({unit, cost});
        }
    }
    return times;
}

void setMedians(Times& times, const std::vector<std::vector<Event>>& events, double nsPerTick) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<double>> seen;
    for (const std::vector<Event>& thread : events) {
        for (const Event& event : thread) {
            if (event.kind != Event::Kind::Unit) continue;
            seen[{event.work, event.first, event.last}].push_back(
                static_cast<double>(event.end - event.begin) * nsPerTick);
        }
    }
    for (std::vector<Piece>& pieces : times) {
        for (Piece& piece : pieces) {
            const auto found = seen.find({piece.unit.work, piece.unit.begin, piece.unit.end});
            if (found != seen.end()) piece.cost = median(found->second);
        }
    }
}

std::uint32_t measureTimes(Engine& engine, Observer* observer, std::uint64_t cycles,
                           std::uint64_t until) {
    EngineConfig config = engine.config();
    Times times = estimatedPieces(engine.model(), config.isApart, piecesFor(config.threads));
    engine.runner().plan().setTimes(times);
    config.threads = 1;
    config.form = Form::Pieces;
    engine.configure(config);
    const TickRate rate;
    const std::int64_t start = nowNs();
    std::uint32_t ended = 0;
    for (std::uint64_t cycle = 0; cycle < target::kTrialWarmUp + cycles && ended == 0; ++cycle) {
        if (cycle == target::kTrialWarmUp)
            engine.runner().recording().keepEvents(engine.runner().plan().unitCount() * cycles + 1);
        const bool isEnough = cycle >= target::kTrialWarmUp + target::kFewestTrialCycles
                              && nowNs() - start > target::kLongestTrialNs;
        if (isEnough || engine.cycle() >= until) break;
        ended = engine.run(engine.cycle() + 1, observer);
    }
    setMedians(times, engine.runner().recording().events(), rate.nsPerTick());
    engine.runner().recording().keepEvents(0);
    engine.runner().plan().setTimes(std::move(times));
    config.form = Form::Plan;
    engine.configure(config);
    return ended;
}

}  // namespace sme
