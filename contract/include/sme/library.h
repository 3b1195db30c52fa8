#pragma once

// For generated code: what a library of `smec compile --lib` says of itself.

#include <sme/model.h>
#include <sme/simulation.h>

namespace sme {

/// Null where the caller is of another version than this. The model outlives the result, which
/// belongs to the library.
const sme_library* libraryOf(const Model& model, std::uint32_t version);

}  // namespace sme
