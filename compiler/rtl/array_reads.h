#pragma once

#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "rtl/array_writes.h"

namespace smec::rtl {

/// Part of the word that `word` says. Where it says none, what a multiplexer gives else: words of
/// its own with some selects, and A.
struct ArrayRead {
    netlist::Bits word;
    std::size_t low = 0;
    std::vector<std::size_t> others;  ///< selects of what is no element, which may matter
    bool hasElse = false;             ///< A may matter
};

using ArrayReads = std::map<const netlist::Cell*, ArrayRead>;

/// The bits of an array, by net.
class ElementBits {
public:
    explicit ElementBits(const RegisterArray& array) {
        for (std::size_t i = 0; i < array.size(); ++i) {
            const netlist::Bits& bits = (*array.registers[i])["Q"];
            for (std::size_t k = 0; k < bits.size(); ++k)
                places_[bits[k]] = {i, k};
        }
    }

    struct Place {
        std::size_t element;
        std::size_t offset;
    };
    const Place* find(netlist::Bit bit) const {
        const auto found = places_.find(bit);
        return found == places_.end() ? nullptr : &found->second;
    }

private:
    std::unordered_map<netlist::Bit, Place> places_;
};

/// Finds `case (word) 0: y = r[0]; 1: y = r[1]; …`
class ReadFinder {
public:
    /// `isZeroBeyond`: a word before the first one reads as 0.
    ReadFinder(const RegisterArray& array, const ElementBits& elements, const CellDrivers& drivers,
               bool isZeroBeyond)
        : array_(array), elements_(elements), drivers_(drivers), isZeroBeyond_(isZeroBeyond) {}

    ArrayReads all(const netlist::Module& module) const;

private:
    std::optional<ArrayRead> of(const netlist::Cell& cell) const;
    std::optional<std::uint64_t> valueOf(const netlist::Cell& cell, std::size_t select,
                                         ArrayRead& read) const;
    bool isElement(const netlist::Cell& cell, std::size_t select, std::uint64_t value,
                   ArrayRead& read) const;

    const RegisterArray& array_;
    const ElementBits& elements_;
    const CellDrivers& drivers_;
    const bool isZeroBeyond_;
};

/// What is needed of a module where an array is a memory.
class Needed {
public:
    Needed(const netlist::Module& module, const CellDrivers& drivers, const ElementBits& elements,
           const ArrayReads& reads)
        : module_(module),
          drivers_(drivers),
          elements_(elements),
          reads_(reads),
          isLive_(module.cells.size()) {}

    void need(const netlist::Bits& bits);
    /// What is needed without the registers of the array.
    void needOutside(const RegisterArray& array);

    bool isLive(const netlist::Cell& cell) const { return isLive_[numberOf(cell)]; }
    /// Elements that are read without an address.
    const std::set<std::size_t>& alone() const { return alone_; }

private:
    std::size_t numberOf(const netlist::Cell& cell) const {
        return static_cast<std::size_t>(&cell - module_.cells.data());
    }
    void later(const netlist::Bits& bits);
    void look(netlist::Bit bit);

    const netlist::Module& module_;
    const CellDrivers& drivers_;
    const ElementBits& elements_;
    const ArrayReads& reads_;
    std::vector<bool> isLive_;
    std::set<std::size_t> alone_;
    std::unordered_set<netlist::Bit> seen_;
    netlist::Bits todo_;
};

}  // namespace smec::rtl
