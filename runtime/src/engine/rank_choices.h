#pragma once

#include <cstdint>
#include <optional>

namespace sme {

/// How a design is cut for ranks.
enum class CutWay : std::uint8_t {
    Cheapest,  ///< whichever is reckoned to be cheapest
    Lists,
    Each,
    Blocks,
    Graph,  ///< by our own means
    Metis   ///< the graph, by METIS
};

/// Which levels of a rank are cut into what others read and the rest.
enum class Overlap : std::uint8_t {
    WherePays,  ///< where the rest costs more than an exchange, and cuts less than one; to be tried
    Always,     ///< where there is a rest
    Never
};

/// What is chosen for ranks by hand, to try that out: SME_RANKS_CUT, SME_RANKS_OVERLAP and
/// SME_RANKS_AHEAD in the environment.
struct RankChoices {
    CutWay cut = CutWay::Cheapest;
    Overlap overlap = Overlap::WherePays;
    std::optional<unsigned> ahead;  ///< as log of the cycles that ranks always run ahead
    bool neverAhead = false;        ///< they ask after each cycle
};

/// Throws Error (Usage), which names what there is to choose, where a word is none of that.
RankChoices choicesOfEnvironment();

}  // namespace sme
