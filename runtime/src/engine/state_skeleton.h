#pragma once

#include <cstdint>
#include <vector>

#include "engine/state_layout.h"
#include "formats/shard_manifest.h"
#include "sme/model.h"

namespace sme {

/// Values that stand together in a state: those of a run of names, or of all elements of a plane.
struct ValueRun {
    const NameRun* names;  ///< null: `hidden`
    HiddenValue hidden;
};

/// What stands in a state of a design, values apart. Pieces have runs, one each, but for one more
/// at an end that nothing follows.
struct PlannedState {
    StateSkeleton skeleton;
    std::vector<ValueRun> named;
    std::vector<ValueRun> hidden;
};
PlannedState planState(const Model& model);

}  // namespace sme
