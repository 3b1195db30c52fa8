#include "engine/rank_state.h"

#include <cstring>

namespace sme {
namespace {

/// use(place, bytes) for each stretch of memory of what is shown that a rank writes, in order.
template <typename Use>
void forEachOwned(const Owners& owners, const Model& model, const Arena& arena, std::uint64_t cycle,
                  const std::vector<Shown>& shown, unsigned rank, const Use& use) {
    for (const Shown& each : shown) {
        const Plane& plane = model.planes[each.plane];
        std::byte* const region =
            plane.region == Region::State ? arena.state() : arena.slotReadIn(cycle);
        const std::uint64_t size = model.types[plane.type].bytes;
        for (const ElementRange& range : ownedIn(model, owners, rank, each.plane, each.range))
            use(region + plane.offset + range.first * size, (range.end - range.first) * size);
    }
}

}  // namespace

void collectState(Transport& transport, const Owners& owners, const Model& model,
                  const Arena& arena, std::uint64_t cycle, const std::vector<Shown>& shown) {
    std::vector<std::byte> own;
    if (transport.rank() != 0) {
        forEachOwned(owners, model, arena, cycle, shown, transport.rank(),
                     [&](const std::byte* place, std::size_t bytes) {
                         own.insert(own.end(), place, place + bytes);
                     });
    }
    const std::vector<std::vector<std::byte>> all = transport.gather(own);
    for (unsigned rank = 1; rank < all.size(); ++rank) {
        const std::byte* next = all[rank].data();
        forEachOwned(owners, model, arena, cycle, shown, rank,
                     [&](std::byte* place, std::size_t bytes) {
                         std::memcpy(place, next, bytes);
                         next += bytes;
                     });
    }
}

}  // namespace sme
