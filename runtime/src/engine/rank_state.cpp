#include "engine/rank_state.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace sme {
namespace {

bool isOfObjects(const Model& model, std::uint32_t plane) {
    const std::span lists(model.objects, model.objectCount);
    return std::ranges::any_of(lists, [&](const Objects& list) { return list.plane == plane; });
}

/// use(place, bytes) for each stretch of memory that a rank writes, in the order of planes.
template <typename Use>
void forEachOwned(const Owners& owners, const Model& model, const Arena& arena, std::uint64_t cycle,
                  unsigned rank, const Use& use) {
    for (std::uint32_t index = 0; index < model.planeCount; ++index) {
        const Plane& plane = model.planes[index];
        if (plane.owner == ~std::uint32_t{0} || isOfObjects(model, index)) continue;
        std::byte* const region =
            plane.region == Region::State ? arena.state() : arena.slotReadIn(cycle);
        const std::uint64_t size = owners.perOwner(plane) * model.types[plane.type].bytes;
        std::uint64_t begin = 0;
        for (const Owners::Stretch& stretch : owners.of(plane.owner)) {
            const std::uint64_t end = stretch.end;
            if (stretch.rank == rank)
                use(region + plane.offset + begin * size, (end - begin) * size);
            begin = end;
        }
    }
}

}  // namespace

void collectState(Transport& transport, const Owners& owners, const Model& model,
                  const Arena& arena, std::uint64_t cycle) {
    std::vector<std::byte> own;
    if (transport.rank() != 0) {
        forEachOwned(owners, model, arena, cycle, transport.rank(),
                     [&](const std::byte* place, std::size_t bytes) {
                         own.insert(own.end(), place, place + bytes);
                     });
    }
    const std::vector<std::vector<std::byte>> all = transport.gather(own);
    for (unsigned rank = 1; rank < all.size(); ++rank) {
        const std::byte* next = all[rank].data();
        forEachOwned(owners, model, arena, cycle, rank, [&](std::byte* place, std::size_t bytes) {
            std::memcpy(place, next, bytes);
            next += bytes;
        });
    }
}

}  // namespace sme
