#include "rtl/array_memory.h"

#include <algorithm>

#include <fmt/format.h>

#include "rtl/registers.h"

namespace smec::rtl {

using netlist::Bits;
using netlist::Cell;

void MemoryMaker::append(std::string_view port, const Bits& bits) {
    Bits& all = cell_.connections[port];
    all.insert(all.end(), bits.begin(), bits.end());
}

void MemoryMaker::write(const ArrayWrite& write) {
    if (write.enable == netlist::kZero) return;
    if (!write.address.empty())
        return writeAt(CellMaker::part(write.address, 0, addressBits_), write);
    for (std::size_t i = 0; i < array_.size(); ++i)
        writeAt(CellMaker::constant(addressBits_, array_.first + i), write);
}

void MemoryMaker::writeAtReset(const ArrayWrite& write) {
    const std::size_t before = writers_;
    this->write(write);
    resetPorts_ = writers_ - before;
}

/// Parts of a word that are written one after the other share a port.
void MemoryMaker::writeAt(const Bits& address, const ArrayWrite& write) {
    const std::size_t width = array_.width();
    if (!last_ || last_->address != address || last_->end > write.low) {
        append("WR_ADDR", address);
        append("WR_DATA", Bits(width, netlist::kZero));
        append("WR_EN", Bits(width, netlist::kZero));
        ++writers_;
    }
    const auto at = static_cast<std::ptrdiff_t>((writers_ - 1) * width + write.low);
    std::ranges::copy(write.data, cell_.connections["WR_DATA"].begin() + at);
    std::fill_n(cell_.connections["WR_EN"].begin() + at, write.data.size(), write.enable);
    last_ = Place{address, write.low + write.data.size()};
}

Bits MemoryMaker::read(const Bits& address) {
    const auto [found, isNew] = reads_.try_emplace(address);
    if (isNew) {
        found->second = maker_.fresh(array_.width());
        append("RD_ADDR", CellMaker::part(address, 0, addressBits_));
        append("RD_DATA", found->second);
    }
    return found->second;
}

Cell MemoryMaker::take(const std::string& init) {
    const auto binary = [](std::size_t number) { return fmt::format("{:b}", number); };
    const Cell& one = *array_.registers[0];
    const std::size_t readers = reads_.size();
    cell_.name = array_.name;
    cell_.type = "$mem_v2";
    cell_.attributes = one.attributes;
    cell_.parameters = {
        {"MEMID", array_.name},
        {"WIDTH", binary(array_.width())},
        {"SIZE", binary(array_.size())},
        {"OFFSET", binary(array_.first)},
        {"ABITS", binary(addressBits_)},
        {"INIT", init},
        {"RD_PORTS", binary(readers)},
        {"RD_CLK_ENABLE", std::string(readers, '0')},
        {"WR_PORTS", binary(writers_)},
        {kResetPorts, binary(resetPorts_)},
        {"WR_CLK_ENABLE", std::string(writers_, '1')},
        {"WR_CLK_POLARITY", std::string(writers_, one.flag("CLK_POLARITY") ? '1' : '0')}};
    append("RD_CLK", Bits(readers, netlist::kUnknown));
    append("WR_CLK", Bits(writers_, one["CLK"][0]));
    return std::move(cell_);
}

}  // namespace smec::rtl
