#include "engine/rank_memory.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>

namespace sme {

RankMemory::RankMemory(const Model& model, const Residence* residence,
                       const std::vector<Halo>& halos, const Arena& arena) {
    const auto addRange = [&](std::uint32_t index, ElementRange range) {
        const Plane& plane = model.planes[index];
        const std::size_t size = model.types[plane.type].bytes;
        for (std::byte* const region : arena.regionsOf(plane))
            add(region + plane.offset + range.first * size, (range.end - range.first) * size);
    };
    for (std::uint32_t index = 0; index < model.planeCount; ++index) {
        const ElementRange all{0, model.planes[index].instances};
        for (const ElementRange& range : residence ? residence->of(index) : std::span(&all, 1))
            addRange(index, range);
    }
    for (const Halo& halo : halos)
        for (const PlaneRange& range : halo.receives)
            addRange(range.plane, {range.first, range.first + range.count});
    unite();
}

void RankMemory::add(std::byte* data, std::size_t bytes) {
    if (bytes > 0) pieces_.push_back({data, bytes});
}

/// One of those that touch or overlap.
void RankMemory::unite() {
    std::ranges::sort(pieces_, std::less<>(), &Piece::data);
    std::vector<Piece> united;
    for (const Piece& piece : pieces_) {
        std::byte* const end = united.empty() ? nullptr : united.back().data + united.back().bytes;
        if (!united.empty() && piece.data <= end) {
            const std::ptrdiff_t more = piece.data + piece.bytes - end;
            if (more > 0) united.back().bytes += static_cast<std::size_t>(more);
        } else {
            united.push_back(piece);
        }
    }
    pieces_ = std::move(united);
    for (const Piece& piece : pieces_)
        bytes_ += piece.bytes;
}

bool RankMemory::hasRoom() noexcept {
    try {
        copy_.resize(bytes_);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void RankMemory::save() noexcept {
    std::byte* to = copy_.data();
    for (const Piece& piece : pieces_) {
        std::memcpy(to, piece.data, piece.bytes);
        to += piece.bytes;
    }
}

void RankMemory::putBack() const {
    const std::byte* from = copy_.data();
    for (const Piece& piece : pieces_) {
        std::memcpy(piece.data, from, piece.bytes);
        from += piece.bytes;
    }
}

}  // namespace sme
