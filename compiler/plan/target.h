#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

/// The numbers by which the plan is made: plan/numbers.def.
namespace smec::plan::target {

#define NUMBERS "plan/numbers.def"
#include "source/numbers.inc"

/// Statements of a function that is a whole block; longer ones are cut.
inline std::uint64_t longestFunction() {
    return kLongestFunction * std::uint64_t{kBlockStatements};
}

/// Into how many parts lists are cut to compare them.
inline std::array<std::uint32_t, 3> cutParts() {
    return {std::max(kMostCutParts / 4, 1U), std::max(kMostCutParts / 2, 1U), kMostCutParts};
}

}  // namespace smec::plan::target
