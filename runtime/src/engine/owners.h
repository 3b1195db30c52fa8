#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/rank_shares.h"
#include "sme/model.h"

namespace sme {

/// Which rank writes what: fields and variables of the instances that it runs.
class Owners {
public:
    /// Instances of a class up to, not including, `end`, from the end of the stretch before on.
    struct Stretch {
        std::uint32_t end;
        unsigned rank;
        std::uint32_t level;  ///< at which they run
    };

    Owners(const Model& model, const RankShares& shares);

    unsigned ranks() const { return ranks_; }
    /// Stretches that cover the instances of a class.
    std::span<const Stretch> of(std::uint32_t cls) const { return stretches_[cls]; }
    /// The number of the stretch of an instance.
    std::size_t stretchOf(std::uint32_t cls, std::uint64_t instance) const;
    /// Elements of a plane that an instance of its class writes.
    std::uint64_t perOwner(const Plane& plane) const;
    /// Of what no class writes, inputs and defaults, each rank has its own; counts as rank 0's.
    unsigned rankOf(std::uint32_t plane, std::uint64_t element) const;

private:
    const Model& model_;
    unsigned ranks_;
    std::vector<std::vector<Stretch>> stretches_;
};

}  // namespace sme
