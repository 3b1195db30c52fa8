#pragma once

#include <cstdint>
#include <string>

#include "engine/border_first.h"
#include "engine/rank_plan.h"
#include "engine/residence.h"
#include "engine/transport.h"

namespace sme {

/// The place of a command line among those of other ranks. What it refers to outlives it.
struct RankSeat {
    RankSeat(Transport& t, const RankPlan& p, const Model& model, Overlap overlap)
        : transport(t),
          plan(p),
          own(model, p.shares, t.rank()),
          cut(own.model(), p.owners, p.crossings, t.rank(), overlap),
          residence(model, p.owners, t.rank()) {}

    bool isFirst() const { return transport.rank() == 0; }

    Transport& transport;
    const RankPlan& plan;
    RankModel own;
    BorderFirst cut;
    Residence residence;
    bool sharesProcess = false;     ///< with rank 0, which has the signals
    std::string problem;            ///< of its command line: it does not run
    std::uint64_t fingerprint = 0;  ///< of what must be the same on all ranks
};

/// What a rank did in a run, for --report text.
struct RankReport {
    std::uint64_t processes = 0;
    double cost = 0;
    std::uint64_t bytesSent = 0;  ///< in a cycle
    std::uint64_t neighbours = 0;
    std::uint64_t memory = 0;     ///< peak, of its process
    double waited = 0;            ///< seconds in which it carried, or waited for others
    std::uint64_t exchanges = 0;  ///< in which it received
    std::uint64_t hidden = 0;     ///< of those, in which all came while it computed
};

}  // namespace sme
