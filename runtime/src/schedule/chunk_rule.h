#pragma once

#include <cstdint>

namespace sme {

/// How the list of process instances of one level is cut into chunks for models m1 and m3. The
/// names are those of `--chunk`; sources: Asheim's SME thesis (ss), Giger's DAPHNE thesis (the
/// others).
enum class ChunkScheme : std::uint8_t {
    Static,              ///< static
    SelfScheduling,      ///< ss
    Guided,              ///< gss
    Trapezoid,           ///< tss
    Factoring,           ///< fac2
    TrapezoidFactoring,  ///< tfss
    FixedIncrease,       ///< fiss
    VariableIncrease,    ///< viss
    PerformanceLoop,     ///< pls
    Probabilistic,       ///< pss
    ModifiedFixedSize,   ///< mfsc
    ModifiedStatic       ///< mstatic
};

struct ChunkRule {
    ChunkScheme scheme = ChunkScheme::Guided;
    /// fiss, viss: the number B of batches, at least 2. pls: the share SWR of the list that is
    /// dealt statically, 0 to 1. Unused by the others. 0: the default (B = 3; SWR from a trial
    /// run).
    double parameter = 0;
    std::uint64_t smallest = 1;  ///< no chunk has fewer instances, but for the last one

    bool operator==(const ChunkRule&) const = default;
};

}  // namespace sme
