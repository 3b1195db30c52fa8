#pragma once

#include <cstddef>
#include <vector>

#include "engine/arena.h"
#include "engine/halo.h"

namespace sme {

/// A copy of the memory of a rank: what it writes, what nobody writes, and what it has of others.
class RankMemory {
public:
    /// They outlive it. `residence` null: everything.
    RankMemory(const Model& model, const Residence* residence, const std::vector<Halo>& halos,
               const Arena& arena);

    std::size_t bytes() const { return bytes_; }
    /// Takes the memory of the copy, where it has none yet.
    bool hasRoom() noexcept;
    /// There is room.
    void save() noexcept;
    void putBack() const;

private:
    struct Piece {
        std::byte* data;
        std::size_t bytes;
    };
    void add(std::byte* data, std::size_t bytes);
    void unite();

    std::vector<Piece> pieces_;
    std::size_t bytes_ = 0;
    std::vector<std::byte> copy_;
};

}  // namespace sme
