#pragma once

#include <string>
#include <vector>

#include "engine/snapshot.h"
#include "sme/state_format.h"

namespace sme {

/// Objects of extern processes in states, by the paths of their processes. Throws Error (Usage)
/// where the design has such as no state can hold.
void writeObjects(StateWriter& out, const Model& model,
                  const std::vector<Snapshot::Object>& objects);

/// So many objects. Returns those that have no place, as messages.
std::vector<std::string> readObjects(StateReader& in, const Model& model, std::uint32_t count,
                                     std::vector<Snapshot::Object>& objects);

}  // namespace sme
