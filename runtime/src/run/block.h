#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/engine.h"
#include "values/names.h"

namespace sme {

/// A value in each of many cycles; row k is that of the k-th.
struct BlockColumn {
    Ref ref;
    std::byte* rows;
    std::size_t stride;  ///< bytes from one row to the next
};

/// Cycles whose inputs are there before they run and whose values are kept as a trace shows them.
/// Thread 0 calls. Engine and rows outlive it.
class CycleRows {
public:
    /// `inputs` are exposed inputs, and their rows values.
    CycleRows(Engine& engine, std::uint64_t first, std::uint64_t cycles,
              const std::vector<BlockColumn>& inputs, const std::vector<BlockColumn>& records);

    /// Whether there are records of variables or combinational fields, which are taken while all
    /// threads stand still.
    bool needsPause() const { return needsPause_; }
    /// Writes what is read in `cycle`, into the slot that the cycle before writes.
    void drive(std::uint64_t cycle);
    /// Between two cycles, before `cycle`: records its variables.
    void keep(std::uint64_t cycle);
    /// During `cycle`, or right after it where needsPause(): records its fields.
    void look(std::uint64_t cycle);
    /// After the last cycle: inputs stay as they were read in it.
    void release();

private:
    /// A part of a value that is stored in one piece.
    struct Piece {
        const Plane* plane;
        std::uint64_t offset;  ///< in its region
        std::size_t bytes;
        std::byte* rows;
        std::size_t stride;
    };
    bool has(std::uint64_t cycle) const { return cycle - first_ < cycles_; }
    Slots slotsOf(const Piece& piece, std::uint64_t cycle) const {
        return engine_.arena().slots(cycle, piece.plane->group);
    }
    void take(const std::vector<Piece>& pieces, std::uint64_t cycle) const;

    Engine& engine_;
    const std::uint64_t first_;
    const std::uint64_t cycles_;
    std::vector<Piece> inputs_;
    std::vector<Piece> before_, within_;  ///< records: as they are before a cycle, and in it
    bool needsPause_ = false;
};

}  // namespace sme
