#include "engine/residence.h"

#include <algorithm>

namespace sme {

std::vector<ElementRange> ownedIn(const Model& model, const Owners& owners, unsigned rank,
                                  std::uint32_t index, ElementRange range) {
    const Plane& plane = model.planes[index];
    if (plane.owner == ~std::uint32_t{0}) return {};
    const std::uint64_t per = owners.perOwner(plane);
    const auto stretches = owners.of(plane.owner);
    std::vector<ElementRange> owned;
    std::uint64_t begin = range.first;
    for (std::size_t i = owners.stretchOf(plane.owner, range.first / per);
         i < stretches.size() && begin < range.end; ++i) {
        const ElementRange both{begin, std::min(stretches[i].end * per, range.end)};
        begin = both.end;
        if (stretches[i].rank != rank || both.first >= both.end) continue;
        const bool goesOn = !owned.empty() && owned.back().end == both.first;
        goesOn ? void(owned.back().end = both.end) : owned.push_back(both);
    }
    return owned;
}

Residence::Residence(const Model& model, const Owners& owners, unsigned rank) {
    for (std::uint32_t index = 0; index < model.planeCount; ++index) {
        const Plane& plane = model.planes[index];
        const ElementRange all{0, plane.instances};
        const bool isOfNobody = plane.owner == ~std::uint32_t{0};
        ranges_.push_back(isOfNobody ? std::vector{all} : ownedIn(model, owners, rank, index, all));
    }
}

}  // namespace sme
