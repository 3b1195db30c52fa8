#pragma once

// For generated code: what a library of `smec compile --lib` says of itself.

#include <sme/model.h>
#include <sme/simulation.h>

namespace sme {

/// Null where the caller is of another version than this. The model outlives the result, which
/// belongs to the library.
inline const sme_library* libraryOf(const Model& model, std::uint32_t version) {
    static const sme_library library{SME_SIMULATION_VERSION,
                                     sizeof(sme_library),
                                     model.name,
                                     model.compiler,
                                     model.hash,
                                     &model,
                                     sme_compiled_simulations()};
    return version == SME_SIMULATION_VERSION ? &library : nullptr;
}

}  // namespace sme
