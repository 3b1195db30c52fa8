#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "netlist/netlist.h"

namespace smec::rtl {

/// The first number that no net of a module has.
netlist::Bit firstFree(const netlist::Module& module);

/// Makes cells in place of one: theirs is its place in the source.
class CellMaker {
public:
    CellMaker(netlist::Bit& next, std::vector<netlist::Cell>& cells) : next_(next), cells_(cells) {}

    /// What is made from now on stands for this one.
    void replace(const netlist::Cell& cell) { attributes_ = cell.attributes; }

    netlist::Bits fresh(std::size_t width);
    static netlist::Bits constant(std::size_t width, std::uint64_t value);
    /// Binary digits, most significant first; zeros where there are none, or where one is no 1.
    static netlist::Bits ofDigits(std::string_view digits, std::size_t width);
    /// So many bits from there on; zeros beyond the end.
    static netlist::Bits part(const netlist::Bits& bits, std::size_t from, std::size_t count);
    /// By sign, or with zeros; or low bits.
    static netlist::Bits resized(netlist::Bits bits, std::size_t width, bool isSigned);

    /// `bits` become `to`.
    void drive(const netlist::Bits& to, const netlist::Bits& bits);
    netlist::Bits unary(std::string_view type, const netlist::Bits& a, std::size_t width);
    netlist::Bits binary(std::string_view type, const netlist::Bits& a, const netlist::Bits& b,
                         std::size_t width, bool isSigned = false);
    netlist::Bits choice(netlist::Bit condition, const netlist::Bits& yes, const netlist::Bits& no);
    /// A bit, or not it.
    netlist::Bit as(netlist::Bit bit, bool isHigh);

private:
    netlist::Cell& add(std::string_view type);

    netlist::Bit& next_;
    std::vector<netlist::Cell>& cells_;
    netlist::Values attributes_;
};

}  // namespace smec::rtl
