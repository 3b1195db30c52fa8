#pragma once

#include <cstdint>

#include "sme/model.h"

namespace sme {

/// Instances [begin, end) of a work.
struct InstanceRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool operator==(const InstanceRange&) const = default;
};

/// The instances of a part that a range of its work runs.
inline InstanceRange instancesIn(const Work& work, const WorkPart& part, InstanceRange range) {
    if (work.entry.block != nullptr) return {part.first, part.first + part.count};
    return {part.first + range.begin, part.first + range.end};
}

}  // namespace sme
