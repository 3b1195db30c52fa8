#include "engine/state.h"

#include <optional>

#include "output/error.h"

namespace sme {

State::State(const Model& model, const Residence* residence, bool isInterleaved, std::uint64_t seed,
             std::uint64_t loopLimit)
    : model_(model),
      residence_(residence),
      arena_(model, isInterleaved),
      setup_{&model, seed, loopLimit},
      loopLimit_(loopLimit) {
    if (residence_) arena_.settle(*residence_);
}

Snapshot State::snapshot(std::vector<std::byte> memory) const {
    Snapshot snapshot = snapshotOf(model_, arena_, cycle_, std::move(memory));
    snapshot.seed = setup_.seed;
    return snapshot;
}

void State::restore(const Snapshot& snapshot) {
    intervene();
    const bool isInitial = snapshot.memory.empty();
    const std::size_t bytes = 2 * model_.clockedBytes + model_.stateBytes;
    if (snapshot.design != model_.hash || (!isInitial && snapshot.memory.size() != bytes)
        || snapshot.activations != activationsIn(snapshot.cycle, model_))
        throw Error(ErrorKind::State, "the state is one of another design");
    std::optional<OutsideObjects> outside;
    if (snapshot.cycle > 0 || (outside_ && outside_->known() > 0)) outside.emplace(model_, arena_);
    if (isInitial) {
        arena_.clear();
        arena_.initialise(0, 1, residence_);
    } else {
        putBack(snapshot, model_, arena_);
    }
    isRestored_ = !isInitial;
    cycle_ = snapshot.cycle;
    setup_.seed = snapshot.seed.value_or(setup_.seed);
}

void State::becomePart(std::uint64_t cycle, std::uint64_t seed) {
    intervene();
    isPart_ = true;
    cycle_ = cycle;
    setup_.seed = seed;
}

const std::byte* State::read(std::uint32_t index, std::uint64_t element,
                             std::uint64_t cycle) const {
    const Plane& plane = model_.planes[index];
    return valueOf(model_, plane, element, arena_.slots(cycle, plane.group), Moment::Within);
}

const std::byte* State::final(std::uint32_t index, std::uint64_t element) const {
    const Plane& plane = model_.planes[index];
    return valueOf(model_, plane, element, arena_.slots(cycle_, plane.group), Moment::Before);
}

}  // namespace sme
