#include "rtl/async_pins.h"

#include <algorithm>

namespace smec::rtl {
namespace {

using netlist::Bits;
using netlist::Cell;

/// Ones where bits of a pin are on, or where they are not.
Bits whileOn(const Cell& cell, const std::string& pin, CellMaker& maker, bool isOn = true) {
    const Bits& bits = cell[pin];
    const bool isSame = cell.flag(pin + "_POLARITY") == isOn;
    return isSame ? bits : maker.unary("$not", bits, bits.size());
}

}  // namespace

void AsyncPins::look() {
    if (names_) return;
    names_.emplace(module_);
    for (const netlist::Net& net : module_.nets) {
        const std::string_view digits = netlist::valueOf(net.attributes, "init");
        for (std::size_t i = 0; i < std::min(digits.size(), net.bits.size()); ++i)
            initial_[net.bits[i]] = digits[digits.size() - 1 - i];
    }
}

Bits AsyncPins::forced(const Cell& cell, const Bits& value) {
    const std::size_t width = value.size();
    if (!cell["ALOAD"].empty())
        return maker_.choice(whileOn(cell, "ALOAD", maker_)[0], cell["AD"], value);
    const Bits set = maker_.binary("$or", value, whileOn(cell, "SET", maker_), width);
    return maker_.binary("$and", set, whileOn(cell, "CLR", maker_, false), width);
}

Bits AsyncPins::addInner(const Bits& outer) {
    look();
    netlist::Net net;
    net.name = names_->of(outer);
    net.isHidden = net.name.empty();
    net.name += "_reg";
    net.bits = maker_.fresh(outer.size());
    std::string& digits = net.attributes["init"];
    for (auto bit = outer.rbegin(); bit != outer.rend(); ++bit) {
        const auto known = initial_.find(*bit);
        digits += known == initial_.end() ? 'x' : known->second;
    }
    return nets_.emplace_back(std::move(net)).bits;
}

void AsyncPins::actAtEdge(Cell& cell) {
    const Bits outer = cell["Q"];
    const Bits inner = isSync_ ? outer : addInner(outer);
    Bits value = cell["D"];
    if (!cell["EN"].empty()) value = maker_.choice(whileOn(cell, "EN", maker_)[0], value, inner);
    const Bits next = forced(cell, value);
    if (!isSync_) maker_.drive(outer, forced(cell, inner));
    cell.type = "$dff";
    cell.connections = {{"CLK", Bits(cell["CLK"])}, {"D", next}, {"Q", inner}};
}

}  // namespace smec::rtl
