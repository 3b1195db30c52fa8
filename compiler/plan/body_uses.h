#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ir/ir.h"

namespace smec::plan {

struct BodyFacts;

/// What an activation may read and write besides temporaries.
struct BodyUses {
    std::set<std::pair<std::uint32_t, std::uint32_t>>
        elements;                      ///< (input, element) read with a constant element
    std::set<std::uint32_t> selected;  ///< inputs whose element is chosen at run time
    std::set<std::uint32_t> outputs;   ///< slots that are written
    bool hasVariables = false;         ///< reads or writes them
    bool returns = false;              ///< ends before its last statement though nothing has failed
    /// Fails, traces or stops, or what it computes depends on the cycle or the seed.
    bool needsSurroundings = false;
};

/// `functions`: what those do that the body calls.
BodyUses usesOf(const ir::Body& body, const std::vector<BodyFacts>& functions);

/// The element of an array port that a read names, if constant.
std::optional<std::uint32_t> constantElement(const ir::Body& body, const ir::ReadInput& read);

}  // namespace smec::plan
