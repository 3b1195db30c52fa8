#include "engine/engine.h"

namespace sme {

const char* whyNotRunnable(const Model& model) {
    if (model.version != kModelVersion)
        return "the simulator and its runtime are of different versions";
    if (model.levels == 0 || model.stageCount == 0) return "the model has no levels";
    // nothing else counts activations yet (activationIn)
    if (model.stageCount != 1 || model.stages[0] != Stage{kOnlyGroup, 0, model.levels - 1})
        return "clock groups that are not one";
    const unsigned groups = clockGroups(model);
    for (std::uint32_t i = 0; i < model.planeCount; ++i) {
        const Plane& plane = model.planes[i];
        if (plane.type >= model.typeCount) return "a plane has no type";
        if (plane.home > Home::Constant) return "a plane without a home";
        if (plane.group >= groups) return "a clock group that does not exist";
    }
    for (std::uint32_t i = 0; i < model.workCount; ++i) {
        if (model.work[i].level >= model.levels) return "work at a level that does not exist";
        if (i > 0 && model.work[i].level < model.work[i - 1].level)
            return "work is not ordered by level";
    }
    for (std::uint32_t i = 0; i < model.nameRunCount; ++i) {
        if (model.names[i].plane >= model.planeCount) return "a name without a plane";
    }
    return nullptr;
}

Engine::Engine(const Model& model, const EngineConfig& config, std::uint64_t seed,
               std::uint64_t loopLimit, TextSink& out, TextSink& err, const Residence* residence)
    : state_(model, residence, config.scheduling.numa == Numa::Interleave, seed, loopLimit),
      observation_(out, err),
      runner_(state_, observation_) {
    runner_.configure(config);
    if (!state_.arena().isBig()) {
        state_.arena().initialise(0, 1, residence);
        return;
    }
    runner_.team().workers().run(
        [](void* engine, unsigned thread) {
            auto& self = *static_cast<Engine*>(engine);
            self.state_.arena().initialise(thread, self.runner_.team().size(),
                                           self.state_.residence());
        },
        this);
}

void Engine::configure(const EngineConfig& config) {
    runner_.configure(config);
    if (ranks_) ranks_->configure(config);
}

void Engine::restore(const Snapshot& snapshot) {
    state_.restore(snapshot);
    runner_.team().forgetLogs();
    configure(config());
}

void Engine::goOnAsPart(std::uint64_t cycle, std::uint64_t seed) {
    state_.becomePart(cycle, seed);
    runner_.team().forgetLogs();
    configure(config());
}

void Engine::connect(Transport& transport, const std::vector<Halo>& halos, const BorderFirst* cut) {
    if (transport.size() == 1) return;
    if (ranks_) runner_.configure(config());  // those before may have changed the plan
    ranks_ = std::make_unique<RankRunner>(state_, observation_, runner_, transport, halos, cut);
    runner_.meetRanks(ranks_.get());
}

std::uint32_t Engine::run(std::uint64_t until, Observer* observer) {
    if (state_.cycle() >= until) return 0;
    observation_.begin(observer);
    if (ranks_) return ranks_->run(until);
    const std::uint32_t ended = runner_.runTo(until);
    if (state_.outside()) state_.outside()->reach(state_.cycle());
    return ended;
}

}  // namespace sme
