#include "run/block.h"

#include <cstring>

namespace sme {

CycleRows::CycleRows(Engine& engine, std::uint64_t first, std::uint64_t cycles,
                     const std::vector<BlockColumn>& inputs,
                     const std::vector<BlockColumn>& records)
    : engine_(engine), first_(first), cycles_(cycles) {
    const Model& model = engine.model();
    const auto add = [&](const BlockColumn& column, const auto& listOf) {
        std::byte* rows = column.rows;
        forEachPiece(model, column.ref, [&](const Ref& piece, std::size_t bytes) {
            const Plane& plane = model.planes[piece.plane];
            const std::uint64_t at =
                plane.offset + piece.element * model.types[plane.type].bytes + piece.offset;
            listOf(piece).push_back({&plane, at, bytes, rows, column.stride});
            rows += bytes;
        });
    };
    for (const BlockColumn& column : inputs)
        add(column, [&](const Ref&) -> std::vector<Piece>& { return inputs_; });
    for (const BlockColumn& column : records) {
        add(column, [&](const Ref& piece) -> std::vector<Piece>& {
            const Plane& plane = model.planes[piece.plane];
            needsPause_ |= plane.home == Home::OneSlot || plane.home == Home::WrittenSlot;
            const bool isBefore = plane.home == Home::OneSlot && isReadBefore(plane, piece.flags);
            return isBefore ? before_ : within_;
        });
    }
}

void CycleRows::drive(std::uint64_t cycle) {
    if (!has(cycle)) return;
    for (const Piece& piece : inputs_)
        std::memcpy(slotsOf(piece, cycle).read + piece.offset,
                    piece.rows + (cycle - first_) * piece.stride, piece.bytes);
}

void CycleRows::take(const std::vector<Piece>& pieces, std::uint64_t cycle) const {
    for (const Piece& piece : pieces) {
        const std::byte* const region =
            regionOf(*piece.plane, slotsOf(piece, cycle), Moment::Within);
        std::memcpy(piece.rows + (cycle - first_) * piece.stride, region + piece.offset,
                    piece.bytes);
    }
}

void CycleRows::keep(std::uint64_t cycle) {
    if (has(cycle)) take(before_, cycle);
}

void CycleRows::look(std::uint64_t cycle) {
    if (has(cycle)) take(within_, cycle);
}

void CycleRows::release() {
    const std::uint64_t next = engine_.cycle();
    if (next == first_) return;
    for (const Piece& piece : inputs_) {
        const Slots slots = slotsOf(piece, next);
        for (std::byte* const slot : {slots.read, slots.write})
            std::memcpy(slot + piece.offset, piece.rows + (next - 1 - first_) * piece.stride,
                        piece.bytes);
    }
}

}  // namespace sme
