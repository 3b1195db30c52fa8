#pragma once

// For generated code: what a library of `smec compile --lib` says of itself.

#include <sme/code.h>
#include <sme/simulation.h>

namespace sme {

/// Null where the caller is of another version than this, or the library is damaged. The result belongs
/// to the library.
const sme_library* libraryOf(const Code& code, std::uint32_t version);

/// What a library says of the model that it has.
sme_library libraryOf(const Model& model);

}  // namespace sme
