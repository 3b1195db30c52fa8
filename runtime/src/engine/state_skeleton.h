#pragma once

#include <cstdint>
#include <vector>

#include "engine/state_layout.h"
#include "formats/shard_manifest.h"
#include "sme/model.h"

namespace sme {

/// What stands in a state of a design, values apart. Pieces have the runs whose values stand behind
/// them, one each, but for one more at an end that nothing follows.
struct PlannedState {
    StateSkeleton skeleton;
    std::vector<const NameRun*> named;
    std::vector<const NameRun*> hidden;
};
PlannedState planState(const Model& model);

}  // namespace sme
