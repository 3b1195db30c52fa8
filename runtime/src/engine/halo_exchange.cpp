#include "engine/halo_exchange.h"

#include <cstring>
#include <map>
#include <set>

namespace sme {

HaloExchange::HaloExchange(Transport& transport, const std::vector<Halo>& halos, const Model& model,
                           const Arena& arena)
    : transport_(transport), arena_(arena), levels_(halos.size()) {
    std::set<unsigned> neighbours;
    for (std::size_t i = 0; i < halos.size(); ++i) {
        Level& level = levels_[i];
        level.sends = sideOf(halos[i].sends, model);
        level.receives = sideOf(halos[i].receives, model);
        level.number = transport.prepare(level.sends.parcels, level.receives.parcels);
        for (const Parcel& parcel : level.sends.parcels)
            bytesSent_ += parcel.bytes;
        for (const Side* side : {&level.sends, &level.receives})
            for (const Parcel& parcel : side->parcels)
                neighbours.insert(parcel.rank);
    }
    neighbours_ = neighbours.size();
}

/// Ranges stand in the order of the ranks they are for.
HaloExchange::Side HaloExchange::sideOf(const std::vector<PlaneRange>& ranges,
                                        const Model& model) const {
    const auto bytesOf = [&](const PlaneRange& range) {
        return range.count * model.types[model.planes[range.plane].type].bytes;
    };
    std::map<unsigned, std::size_t> sizes;
    for (const PlaneRange& range : ranges)
        sizes[range.rank] += bytesOf(range);
    Side side;
    std::map<unsigned, std::byte*> next;
    for (const auto& [rank, bytes] : sizes) {
        std::byte* const data = side.buffers.emplace_back(bytes).data();
        side.parcels.push_back({rank, data, bytes});
        next[rank] = data;
    }
    for (const PlaneRange& range : ranges) {
        const Plane& plane = model.planes[range.plane];
        const std::uint64_t offset = plane.offset + range.first * model.types[plane.type].bytes;
        const std::size_t bytes = bytesOf(range);
        side.pieces.push_back({plane.region == Region::State, offset, bytes, next[range.rank]});
        next[range.rank] += bytes;
    }
    return side;
}

/// What a cycle writes; others read it there in this cycle or the next one.
std::byte* HaloExchange::place(const Piece& piece, std::uint64_t cycle) const {
    return (piece.isState ? arena_.state() : arena_.slot(cycle)) + piece.offset;
}

void HaloExchange::run(std::uint32_t level, std::uint64_t cycle) {
    const Level& at = levels_[level];
    for (const Piece& piece : at.sends.pieces)
        std::memcpy(piece.packed, place(piece, cycle), piece.bytes);
    transport_.exchange(at.number);
    for (const Piece& piece : at.receives.pieces)
        std::memcpy(place(piece, cycle), piece.packed, piece.bytes);
}

}  // namespace sme
