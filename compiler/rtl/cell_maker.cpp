#include "rtl/cell_maker.h"

#include <algorithm>

#include <fmt/format.h>

namespace smec::rtl {

netlist::Bit firstFree(const netlist::Module& module) {
    netlist::Bit last = netlist::kOne;
    const auto look = [&](const netlist::Bits& bits) {
        for (const netlist::Bit bit : bits) {
            if (netlist::isNet(bit)) last = std::max(last, bit);
        }
    };
    for (const netlist::Port& port : module.ports)
        look(port.bits);
    for (const netlist::Net& net : module.nets)
        look(net.bits);
    for (const netlist::Cell& cell : module.cells) {
        for (const auto& [name, bits] : cell.connections)
            look(bits);
    }
    return last + 1;
}

netlist::Bits CellMaker::fresh(std::size_t width) {
    netlist::Bits bits(width);
    for (netlist::Bit& bit : bits)
        bit = next_++;
    return bits;
}

netlist::Bits CellMaker::constant(std::size_t width, std::uint64_t value) {
    netlist::Bits bits(width, netlist::kZero);
    for (std::size_t i = 0; i < std::min<std::size_t>(width, 64); ++i)
        bits[i] = (value >> i & 1) != 0 ? netlist::kOne : netlist::kZero;
    return bits;
}

netlist::Bits CellMaker::ofDigits(std::string_view digits, std::size_t width) {
    netlist::Bits bits;
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit)
        bits.push_back(*digit == '1' ? netlist::kOne : netlist::kZero);
    bits.resize(width, netlist::kZero);
    return bits;
}

netlist::Bits CellMaker::part(const netlist::Bits& bits, std::size_t from, std::size_t count) {
    const auto at = [&](std::size_t place) {
        return bits.begin() + static_cast<std::ptrdiff_t>(std::min(place, bits.size()));
    };
    netlist::Bits taken(at(from), at(from + count));
    taken.resize(count, netlist::kZero);
    return taken;
}

netlist::Bits CellMaker::resized(netlist::Bits bits, std::size_t width, bool isSigned) {
    bits.resize(width, isSigned && !bits.empty() ? bits.back() : netlist::kZero);
    return bits;
}

netlist::Cell& CellMaker::add(std::string_view type) {
    netlist::Cell& cell = cells_.emplace_back();
    cell.name = fmt::format("$made{}", next_);
    cell.type = type;
    cell.attributes = attributes_;
    return cell;
}

void CellMaker::drive(const netlist::Bits& to, const netlist::Bits& bits) {
    add("$pos").connections = {{"A", bits}, {"Y", to}};
}

netlist::Bits CellMaker::unary(std::string_view type, const netlist::Bits& a, std::size_t width) {
    netlist::Bits made = fresh(width);
    add(type).connections = {{"A", a}, {"Y", made}};
    return made;
}

netlist::Bits CellMaker::binary(std::string_view type, const netlist::Bits& a,
                                const netlist::Bits& b, std::size_t width, bool isSigned) {
    netlist::Bits made = fresh(width);
    netlist::Cell& cell = add(type);
    cell.connections = {{"A", a}, {"B", b}, {"Y", made}};
    for (const char* sign : {"A_SIGNED", "B_SIGNED"})  // adding one moves the other
        cell.parameters[sign] = isSigned ? "1" : "0";
    return made;
}

netlist::Bits CellMaker::choice(netlist::Bit condition, const netlist::Bits& yes,
                                const netlist::Bits& no) {
    netlist::Bits made = fresh(yes.size());
    add("$mux").connections = {{"A", no}, {"B", yes}, {"S", {condition}}, {"Y", made}};
    return made;
}

netlist::Bit CellMaker::as(netlist::Bit bit, bool isHigh) {
    return isHigh ? bit : unary("$not", {bit}, 1)[0];
}

}  // namespace smec::rtl
