#pragma once

#include <cstddef>

namespace sme {

/// A word of Model::processor; of no length: none.
struct MissingFeature {
    const char* name = nullptr;
    std::size_t length = 0;
};

/// The first feature of Model::processor that this machine lacks, or that nobody knows. May be
/// called before main(), and calls nothing of the standard library.
MissingFeature missingFeature(const char* features);

inline constexpr const char* kMissingStart = "this machine's processor has no '";
inline constexpr const char* kMissingEnd =
    "', which the compiler was allowed to use; compile for it with --march generic, or here";

}  // namespace sme
