#pragma once

#include <cstdint>
#include <vector>

#include "sme/model.h"

namespace sme {

/// What of each instance others read that stand `distance` instances before or after it.
struct GridReads {
    std::uint32_t distance;
    double bytes;
};

/// Instances [first, end) of works whose instances are numbered alike: instance i of each stands at
/// one place of a grid of two or more dimensions, and reads others near that place.
struct IndexSpace {
    std::vector<std::uint32_t> works;  ///< ascending; all have as many instances
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    /// Instances from a place to the next one in each dimension but the first, ascending: of a row, of
    /// a plane, ….
    std::vector<std::uint32_t> pitches;
    std::vector<GridReads> reads;  ///< between places next to each other: of 1 and of each pitch
};

/// The grids of a design, by works and instances, as far as who reads whom tells them: of a torus
/// of 8 × 4, instances 0 to 23 read those 8 further on, so that a row has 8. O(reads).
std::vector<IndexSpace> indexSpacesOf(const Model& model);

}  // namespace sme
