#pragma once

#include <cstdint>
#include <vector>

#include "sme/model.h"

namespace sme {

/// A piece of work: instances [begin, end) of one.
struct Unit {
    Entry entry;
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t work;  ///< index into Model::work
};

/// The work of one level in its order, as one list of process instances that may be cut at legal
/// places: multiples of a work's granularity, and its ends.
class LevelList {
public:
    /// A place between two instances: before `instance` of work `work`. An end of a work is
    /// instance 0 of the next.
    struct Place {
        std::uint32_t work;
        std::uint32_t instance;
        bool operator==(const Place&) const = default;
    };

    /// Works for which `isApart` is set (empty: none) are left out.
    LevelList(const Model& model, std::uint32_t level, const std::vector<bool>& isApart = {});

    std::uint64_t steps() const { return steps_; }  ///< process instances
    double cost() const { return cost_; }
    std::uint64_t pieces() const;  ///< in how many the list could be cut

    Place begin() const { return {first_, 0}; }
    Place end() const { return {last_, 0}; }
    /// The legal place nearest to `cost` from the start; ties go up.
    Place nearestToCost(double cost) const;
    Place nearestToSteps(std::uint64_t steps) const;
    std::uint64_t stepsBefore(Place place) const;
    /// Appends the units between two places.
    void append(Place from, Place to, std::vector<Unit>& units) const;

private:
    Place legal(std::uint32_t work, double instance) const;
    bool has(std::uint32_t work) const { return work >= isApart_.size() || !isApart_[work]; }

    const Model& model_;
    const std::vector<bool> isApart_;
    std::uint32_t first_ = 0;  ///< works [first_, last_)
    std::uint32_t last_ = 0;
    std::uint64_t steps_ = 0;
    double cost_ = 0;
    std::vector<std::uint64_t> stepsAt_;  ///< before work first_ + i
    std::vector<double> costAt_;
};

/// Process instances of all levels.
std::uint64_t stepsPerCycle(const Model& model);

/// Into how many pieces a level can be cut at most: more threads than that are useless.
std::uint64_t mostPieces(const Model& model);

/// The list in at most about `most` units of about equal static cost, in order.
std::vector<Unit> cutIntoPieces(const LevelList& list, std::uint64_t most);

}  // namespace sme
