#pragma once

#include "lower/storage.h"

/// Names seen from outside, compressed into runs.
namespace smec::lower {

/// Paths of a class's instances, in order.
void nameInstances(Context& context, const std::vector<ClassShape>& shapes);

/// Every field of every bus and every process variable, in source order: by owner, a bus before the
/// variables. What is kept beside them gets the names that states know.
void nameFields(Context& context, const std::vector<ClassShape>& shapes, const Wiring& wiring);

}  // namespace smec::lower
