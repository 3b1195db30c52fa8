#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/halo.h"
#include "engine/owners.h"
#include "engine/rank_choices.h"
#include "sme/model.h"

namespace sme {

/// The work of a rank with the border first: a level of which others read something becomes two,
/// that of the processes whose values cross and that of the rest, which is computed while they
/// travel. Each rank decides for itself; what it sends and in which order stays the same.
///
/// The model and what it has outlive it. O(works + stretches that cross).
class BorderFirst {
public:
    /// `model` is that of the rank, `crossings` those of all, by level of the design.
    BorderFirst(const Model& model, const Owners& owners, std::span<const Crossing> crossings,
                unsigned rank, Overlap overlap);
    BorderFirst(const BorderFirst&) = delete;
    BorderFirst& operator=(const BorderFirst&) = delete;

    const Model& model() const { return model_; }
    Overlap choice() const { return overlap_; }
    /// For each level of model() what crosses, given that of each level of the design. It may be
    /// more than the crossings above; what comes of the rest then waits for the end of its level.
    std::vector<Halo> halos(std::vector<Halo> halos) const;
    /// Levels of the design of which something is computed while values travel.
    unsigned cutLevels() const { return model_.levels - static_cast<unsigned>(isCut_.size()); }

private:
    /// Instances of a class, or of a work, ascending and apart from each other.
    using Ranges = std::vector<InstanceRange>;

    void findBorder(const Owners& owners, std::span<const Crossing> crossings, unsigned rank);
    Ranges borderOf(const Work& work) const;
    bool isBorder(const PlaneRange& range) const;
    InstanceRange writersOf(std::uint32_t plane, std::uint64_t first, std::uint64_t count) const;
    void order(const Model& model, std::uint32_t level);

    const Overlap overlap_;
    std::vector<std::uint64_t> perOwner_;  ///< by plane, elements that an instance writes
    std::vector<Ranges> border_;           ///< by class
    std::vector<bool> isCut_;              ///< by level of the design
    std::vector<Work> work_;
    std::vector<Stage> stages_;
    Model model_;
};

}  // namespace sme
