#include "engine/owners.h"

#include <algorithm>

namespace sme {
namespace {

struct Owned {
    std::uint32_t first;
    std::uint32_t end;
    unsigned rank;
    std::uint32_t level;
};

}  // namespace

Owners::Owners(const Model& model, const RankShares& shares)
    : model_(model), ranks_(shares.ranks()), stretches_(model.classCount) {
    std::vector<std::vector<Owned>> owned(model.classCount);
    for (std::uint32_t index = 0; index < model.workCount; ++index) {
        const Work& work = model.work[index];
        shares.forEach(index, [&](InstanceRange range, unsigned rank) {
            for (const WorkPart& part : std::span(work.parts, work.partCount)) {
                const InstanceRange its = instancesIn(work, part, range);
                owned[part.cls].push_back({its.begin, its.end, rank, work.level});
            }
        });
    }
    for (std::uint32_t cls = 0; cls < model.classCount; ++cls) {
        std::ranges::sort(owned[cls], {}, &Owned::first);
        for (const Owned& piece : owned[cls]) {
            std::vector<Stretch>& all = stretches_[cls];
            const bool goesOn =
                !all.empty() && all.back().rank == piece.rank && all.back().level == piece.level;
            if (goesOn)
                all.back().end = piece.end;
            else
                all.push_back({piece.end, piece.rank, piece.level});
        }
        // instances that no work runs never change
        if (stretches_[cls].empty()) stretches_[cls].push_back({0, 0, 0});
        stretches_[cls].back().end = model.classes[cls].instances;
    }
}

std::size_t Owners::stretchOf(std::uint32_t cls, std::uint64_t instance) const {
    const std::vector<Stretch>& all = stretches_[cls];
    const auto found = std::ranges::upper_bound(all, instance, {}, &Stretch::end);
    return static_cast<std::size_t>(found - all.begin());
}

std::uint64_t Owners::perOwner(const Plane& plane) const {
    return std::max(1u, plane.instances / std::max(1u, model_.classes[plane.owner].instances));
}

unsigned Owners::rankOf(std::uint32_t index, std::uint64_t element) const {
    const Plane& plane = model_.planes[index];
    if (plane.owner == ~std::uint32_t{0}) return 0;
    const std::size_t stretch = stretchOf(plane.owner, element / perOwner(plane));
    return stretches_[plane.owner][stretch].rank;
}

}  // namespace sme
