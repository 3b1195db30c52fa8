#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sme/model.h"

namespace sme {

/// The state of a simulation between two cycles: all that its next cycles depend on, and nothing of
/// how they are run, so that it suits every plan and number of threads. Planes hold the whole of
/// it: what a body keeps at a `wait`, a delay line's values, generators of random(), counts of
/// `cover` are variables, hidden ones among them. The position in an input file is the cycle.
struct Snapshot {
    std::uint64_t design = 0;  ///< Model::hash
    std::uint64_t cycle = 0;   ///< the next one to run
    /// Both slots of the Clocked region and the State region, as in the arena, one behind the
    /// other. Empty: the initial values, before cycle 0.
    std::vector<std::byte> memory;
};

/// The state before cycle 0. Costs nothing.
inline Snapshot initialState(const Model& model) { return {model.hash, 0, {}}; }

/// Null, or why states of a design cannot be kept.
inline const char* whyNoSnapshot(const Model& model) {
    return model.objectCount == 0 ? nullptr
                                  : "objects of 'extern' processes, which cannot be copied";
}

}  // namespace sme
