#pragma once

#include <vector>

#include "lower/context.h"

/// From instances to storage: classes with their planes, columns and inputs, and the wiring between
/// them.
namespace smec::lower {

/// Creates a class for every specialisation with instances, in order of their first instance, with
/// its planes, columns, outputs and (unconnected) inputs. Bodies are left empty. O(instances ·
/// fields).
std::vector<ClassShape> makeClasses(Context& context);

/// Where each field of the design is stored.
struct FieldPlace {
    std::uint32_t planes = kNone;  ///< into Wiring::planeSets: one plane per leaf
    std::uint32_t element = 0;     ///< instance within those planes
};
struct Wiring {
    std::vector<FieldPlace> fields;  ///< parallel to hir::Design::fields
    std::vector<std::vector<ir::PlaneId>> planeSets;
};
/// Adds the class that shows what `sources` (the leaves of one driven field) hold `delay` - 1
/// cycles later (≥ 1), and returns its planes.
std::vector<ir::PlaneId> addDelayLine(Context& context, const std::vector<ir::PlaneId>& sources,
                                      std::uint32_t delay, SourceRange range);
/// Finds the plane of every field (fields that nobody drives get planes of their own) and connects
/// all inputs.
Wiring connect(Context& context, const std::vector<ClassShape>& shapes);

}  // namespace smec::lower
