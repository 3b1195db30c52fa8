#pragma once

#include <cstdint>
#include <vector>

#include "netlist/netlist.h"

namespace smec::rtl {

/// Which cell computes a bit.
struct BitPlace {
    std::uint32_t cell;
    std::uint32_t offset;  ///< within its output
};

/// Cells that compute, as a graph: which of them depend on themselves through others.
class WordLoops {
public:
    explicit WordLoops(const netlist::Module& module);

    static constexpr std::uint32_t kNone = UINT32_MAX;
    /// Of each cell, the loops that it is part of, all of which have one number; kNone: it is in
    /// none.
    std::vector<std::uint32_t> loop;
    bool isAny() const { return isAny_; }
    /// The cell that computes the bit; its cell is kNone where none does.
    BitPlace placeOf(netlist::Bit bit) const {
        return bit < places_.size() ? places_[bit] : BitPlace{kNone, 0};
    }

private:
    std::vector<std::uint32_t> inputsOf(std::uint32_t cell) const;

    const netlist::Module& module_;
    std::vector<BitPlace> places_;  ///< by bit
    bool isAny_ = false;
};

}  // namespace smec::rtl
