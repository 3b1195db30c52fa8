#pragma once

#include <cstdint>
#include <vector>

#include "engine/arena.h"
#include "engine/halo.h"
#include "engine/transport.h"

namespace sme {

/// What a rank sends and receives when a level of a cycle is done, packed into one parcel for each
/// neighbour. The transport and the arena outlive it.
class HaloExchange {
public:
    /// `halos` by level. All ranks connect at the same time.
    HaloExchange(Transport& transport, const std::vector<Halo>& halos, const Model& model,
                 const Arena& arena);

    /// Whether something of this rank crosses after a level.
    bool isAt(std::uint32_t level) const { return !levels_[level].isEmpty(); }
    /// When all of this rank's level is done, while nobody runs.
    void run(std::uint32_t level, std::uint64_t cycle);

    std::uint64_t bytesSent() const { return bytesSent_; }  ///< in a cycle
    std::size_t neighbours() const { return neighbours_; }

private:
    /// A range of a plane and its place in a parcel.
    struct Piece {
        bool isState;
        std::uint64_t offset;
        std::size_t bytes;
        std::byte* packed;
    };
    struct Side {
        std::vector<std::vector<std::byte>> buffers;  ///< one for each neighbour
        std::vector<Parcel> parcels;
        std::vector<Piece> pieces;
    };
    struct Level {
        Side sends;
        Side receives;
        std::size_t number = 0;  ///< of the prepared exchange
        bool isEmpty() const { return sends.pieces.empty() && receives.pieces.empty(); }
    };

    Side sideOf(const std::vector<PlaneRange>& ranges, const Model& model) const;
    std::byte* place(const Piece& piece, std::uint64_t cycle) const;

    Transport& transport_;
    const Arena& arena_;
    std::vector<Level> levels_;
    std::uint64_t bytesSent_ = 0;
    std::size_t neighbours_ = 0;
};

}  // namespace sme
