#include "engine/halo_exchange.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace sme {
namespace {

std::size_t bytesOf(const PlaneRange& range, const Model& model) {
    return range.count * model.types[model.planes[range.plane].type].bytes;
}

/// copy(offset, at) for stretches of a length that the compiler knows, where it is one of scalars.
template <std::size_t bytes, typename Copy>
std::size_t copyEach(const std::vector<std::uint64_t>& offsets, std::size_t at, const Copy& copy) {
    for (const std::uint64_t offset : offsets) {
        copy(offset, at, bytes);
        at += bytes;
    }
    return at;
}

template <typename Copy>
std::size_t copyAll(const std::vector<std::uint64_t>& offsets, std::size_t bytes, std::size_t at,
                    const Copy& copy) {
    switch (bytes) {
    case 1: return copyEach<1>(offsets, at, copy);
    case 2: return copyEach<2>(offsets, at, copy);
    case 4: return copyEach<4>(offsets, at, copy);
    case 8: return copyEach<8>(offsets, at, copy);
    default: break;
    }
    for (const std::uint64_t offset : offsets) {
        copy(offset, at, bytes);
        at += bytes;
    }
    return at;
}

}  // namespace

HaloExchange::HaloExchange(Transport& transport, const std::vector<Halo>& halos,
                           const std::vector<Halo>& cutHalos, const Model& model,
                           const Arena& arena, RankWait wait)
    : transport_(transport),
      arena_(arena),
      boxes_(transport, largest(halos, model, transport.size()), wait),
      whole_(levelsOf(halos, model)),
      cut_(levelsOf(cutHalos, model)) {
    std::set<unsigned> neighbours;
    for (const Level& level : whole_) {
        for (const Packing& packing : level.sends)
            bytesSent_ += packing.bytes;
        for (const auto* side : {&level.sends, &level.receives})
            for (const Packing& packing : *side)
                neighbours.insert(packing.rank);
    }
    neighbours_ = neighbours.size();
}

std::vector<HaloExchange::Level> HaloExchange::levelsOf(const std::vector<Halo>& halos,
                                                        const Model& model) {
    std::vector<Level> levels;
    for (const Halo& halo : halos) {
        Level& level = levels.emplace_back();
        level.sends = packingsOf(halo.sends, model);
        level.receives = packingsOf(halo.receives, model);
        level.isOpen = halo.isOpen;
        prepare(level);
    }
    return levels;
}

/// Bytes of the largest parcel for each rank.
std::vector<std::size_t> HaloExchange::largest(const std::vector<Halo>& halos, const Model& model,
                                               unsigned ranks) {
    std::vector<std::size_t> most(ranks);
    for (const Halo& halo : halos) {
        std::vector<std::size_t> bytes(ranks);
        for (const PlaneRange& range : halo.sends)
            bytes[range.rank] += bytesOf(range, model);
        for (unsigned rank = 0; rank < ranks; ++rank)
            most[rank] = std::max(most[rank], bytes[rank]);
    }
    return most;
}

/// Ranges stand in the order of the ranks they are for.
std::vector<HaloExchange::Packing> HaloExchange::packingsOf(const std::vector<PlaneRange>& ranges,
                                                            const Model& model) const {
    std::vector<Packing> packings;
    const auto of = [&](unsigned rank) -> Packing& {
        const auto found = std::ranges::find(packings, rank, &Packing::rank);
        if (found != packings.end()) return *found;
        packings.emplace_back().rank = rank;
        return packings.back();
    };
    for (const PlaneRange& range : ranges) {
        Packing& packing = of(range.rank);
        const Plane& plane = model.planes[range.plane];
        const bool isState = plane.home == Home::OneSlot;
        const std::size_t bytes = bytesOf(range, model);
        std::vector<Stretches>& all = packing.stretches;
        const bool goesOn = !all.empty() && all.back().group == plane.group
                            && all.back().isState == isState && all.back().bytes == bytes;
        if (!goesOn) all.push_back({plane.group, isState, bytes, {}});
        all.back().offsets.push_back(plane.offset + range.first * model.types[plane.type].bytes);
        packing.bytes += bytes;
    }
    return packings;
}

/// What does not go through memory. All ranks of several machines ask the transport, for each level.
void HaloExchange::prepare(Level& level) {
    std::vector<Parcel> parcels[2];
    std::vector<Packing>* const sides[2] = {&level.sends, &level.receives};
    for (const unsigned side : {0u, 1u}) {
        for (Packing& packing : *sides[side]) {
            if (boxes_.reaches(packing.rank)) continue;
            packing.buffer.resize(packing.bytes);
            pack(packing, packing.buffer.data(), 0);  // as at the start, before anything has come
            parcels[side].push_back({packing.rank, packing.buffer.data(), packing.bytes});
        }
    }
    level.isPrepared = !parcels[0].empty() || !parcels[1].empty();
    if (level.isPrepared) level.number = transport_.prepare(parcels[0], parcels[1]);
}

/// What a cycle writes; others read it there in this cycle or the next one.
std::byte* HaloExchange::region(const Stretches& stretches, std::uint64_t cycle) const {
    const Slots slots = arena_.slots(cycle, stretches.group);
    return stretches.isState ? slots.state : slots.write;
}

void HaloExchange::pack(const Packing& packing, std::byte* parcel, std::uint64_t cycle) const {
    std::size_t at = 0;
    for (const Stretches& stretches : packing.stretches) {
        const std::byte* const base = region(stretches, cycle);
        at = copyAll(stretches.offsets, stretches.bytes, at,
                     [&](std::uint64_t offset, std::size_t to, std::size_t bytes) {
                         std::memcpy(parcel + to, base + offset, bytes);
                     });
    }
}

void HaloExchange::unpack(const Packing& packing, const std::byte* parcel,
                          std::uint64_t cycle) const {
    std::size_t at = 0;
    for (const Stretches& stretches : packing.stretches) {
        std::byte* const base = region(stretches, cycle);
        at = copyAll(stretches.offsets, stretches.bytes, at,
                     [&](std::uint64_t offset, std::size_t from, std::size_t bytes) {
                         std::memcpy(base + offset, parcel + from, bytes);
                     });
    }
}

/// Nobody waits for another one before it has sent.
void HaloExchange::begin(std::uint32_t level, std::uint64_t cycle) {
    Level& at = (*levels_)[level];
    for (Packing& packing : at.sends) {
        const bool isHere = packing.buffer.empty();
        pack(packing, isHere ? boxes_.open(packing.rank) : packing.buffer.data(), cycle);
        if (isHere) boxes_.post(packing.rank, packing.bytes);
    }
    if (at.isPrepared) transport_.start(at.number);
}

bool HaloExchange::isCarrying(std::uint32_t level) {
    const Level& at = (*levels_)[level];
    return at.isPrepared && !transport_.isDone(at.number);
}

bool HaloExchange::hasCome(std::uint32_t level) {
    const Level& at = (*levels_)[level];
    return !isCarrying(level) && std::ranges::all_of(at.receives, [&](const Packing& packing) {
        return !packing.buffer.empty() || boxes_.hasCome(packing.rank);
    });
}

void HaloExchange::finish(std::uint32_t level, std::uint64_t cycle) {
    const Level& at = (*levels_)[level];
    if (!at.receives.empty()) {
        ++times_;
        if (at.isOpen && hasCome(level)) ++timesHidden_;
    }
    if (at.isPrepared) transport_.finish(at.number);
    for (const Packing& packing : at.receives) {
        const bool isHere = packing.buffer.empty();
        unpack(packing, isHere ? boxes_.await(packing.rank, packing.bytes) : packing.buffer.data(),
               cycle);
        if (isHere) boxes_.release(packing.rank);
    }
    boxes_.passed();
}

}  // namespace sme
