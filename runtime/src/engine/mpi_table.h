#pragma once

#include <cstdint>

#include "engine/transport.h"

namespace sme {

/// What the library of an MPI gives, by the function `sme_mpi_table`. Libraries and simulators are
/// of one version.
struct MpiTable {
    std::uint32_t version;
    /// Initialises MPI where nobody has; null where that fails.
    Transport* (*open)();
    void (*close)(Transport* transport);
};

/// Goes up whenever this or Transport changes.
inline constexpr std::uint32_t kMpiTableVersion = 4;

/// The status with which a rank that cannot go on ends the others.
inline constexpr int kMpiAbandoned = 4;

}  // namespace sme
