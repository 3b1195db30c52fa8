#include "engine/rank_state.h"

#include <cstring>
#include <span>

namespace sme {
namespace {

/// Stretches of the arena: place and bytes.
using Stretches = std::vector<std::span<std::byte>>;

/// Of elements of a plane, those that a rank writes, in a region.
void addOwned(const Owners& owners, const Model& model, const Shown& shown, unsigned rank,
              std::byte* region, Stretches& stretches) {
    const Plane& plane = model.planes[shown.plane];
    const std::uint64_t size = model.types[plane.type].bytes;
    for (const ElementRange& range : ownedIn(model, owners, rank, shown.plane, shown.range))
        stretches.emplace_back(region + plane.offset + range.first * size,
                               (range.end - range.first) * size);
}

/// `of(rank)` gives what a rank writes, the same on all ranks.
template <typename Of>
void collect(Transport& transport, const Of& of) {
    std::vector<std::byte> own;
    if (transport.rank() != 0) {
        for (const std::span<std::byte> stretch : of(transport.rank()))
            own.insert(own.end(), stretch.begin(), stretch.end());
    }
    const std::vector<std::vector<std::byte>> all = transport.gather(own);
    for (unsigned rank = 1; rank < all.size(); ++rank) {
        const std::byte* next = all[rank].data();
        for (const std::span<std::byte> stretch : of(rank)) {
            std::memcpy(stretch.data(), next, stretch.size());
            next += stretch.size();
        }
    }
}

}  // namespace

void collectState(Transport& transport, const Owners& owners, const Model& model,
                  const Arena& arena, std::uint64_t cycle, const std::vector<Shown>& shown) {
    collect(transport, [&](unsigned rank) {
        Stretches stretches;
        for (const Shown& each : shown) {
            const Plane& plane = model.planes[each.plane];
            addOwned(owners, model, each, rank,
                     regionOf(plane, arena.slots(cycle, plane.group), Moment::Before), stretches);
        }
        return stretches;
    });
}

}  // namespace sme
