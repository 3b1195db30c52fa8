#include "engine/halo_exchange.h"

namespace sme {

void HaloExchange::connect(Transport& transport, const Halo& halo, const Model& model,
                           const Arena& arena) {
    transport_ = transport.size() > 1 ? &transport : nullptr;
    const auto inSlot = [&](const std::vector<PlaneRange>& ranges, std::uint64_t cycle) {
        std::vector<Message> messages;
        for (const PlaneRange& range : ranges) {
            const Plane& plane = model.planes[range.plane];
            const std::uint64_t size = model.types[plane.type].bytes;
            messages.push_back({range.rank, arena.slot(cycle) + plane.offset + range.first * size,
                                range.count * size});
        }
        return messages;
    };
    for (const std::uint64_t parity : {0, 1}) {
        sends_[parity] = inSlot(halo.sends, parity);
        receives_[parity] = inSlot(halo.receives, parity);
    }
}

std::uint32_t HaloExchange::run(std::uint64_t cycle, std::uint32_t flags) {
    transport_->exchange(sends_[cycle & 1], receives_[cycle & 1]);
    return transport_->reduce(flags);
}

}  // namespace sme
