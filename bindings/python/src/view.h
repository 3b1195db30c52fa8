#pragma once

// Arrays as views of the memory of a simulation.

#include <cstdint>

#include "codec.h"
#include "simulation.h"

namespace smepy {

PyTypeObject* addViewType(PyObject* module);

/// The array behind a handle: without a copy where its elements lie in one plane. `isMade`: of other
/// values, so that it is another one when something is set.
PyObject* viewOf(Simulation& simulation, const Codec& type, std::uint32_t handle, bool isMade);

}  // namespace smepy
