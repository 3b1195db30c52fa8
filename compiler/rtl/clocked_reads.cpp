#include "rtl/clocked_reads.h"

#include <algorithm>

#include <fmt/format.h>

#include "rtl/cell_maker.h"
#include "rtl/registers.h"

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

/// A bit of a parameter, by its place from the end; '0' beyond.
char digit(const Cell& cell, std::string_view parameter, std::size_t at) {
    const std::string_view digits = netlist::valueOf(cell.parameters, parameter);
    return at < digits.size() ? digits[digits.size() - 1 - at] : '0';
}

std::string digits(const Cell& cell, std::string_view parameter, std::size_t from,
                   std::size_t count) {
    std::string text;
    for (std::size_t i = count; i-- > 0;)
        text += digit(cell, parameter, from + i);
    return text;
}

/// One port of a memory.
class ClockedRead {
public:
    ClockedRead(netlist::Module& module, Cell& memory, std::uint32_t port, CellMaker& maker,
                std::vector<Cell>& added)
        : module_(module),
          memory_(memory),
          port_(port),
          width_(memory.number("WIDTH")),
          maker_(maker),
          added_(added) {}

    void replace() {
        maker_.replace(memory_);
        const Bits data = CellMaker::part(memory_["RD_DATA"], port_ * width_, width_);
        const Bits words = maker_.fresh(width_);
        std::ranges::copy(words, memory_.connections["RD_DATA"].begin()
                                     + static_cast<std::ptrdiff_t>(port_ * width_));
        addRegister(words, data);
        memory_.connections["RD_CLK"][port_] = netlist::kUnknown;
        std::string& clocked = memory_.parameters["RD_CLK_ENABLE"];
        clocked[clocked.size() - 1 - port_] = '0';
        start(data);
    }

private:
    Bit pin(std::string_view name) const {
        const Bits& bits = memory_[name];
        return port_ < bits.size() ? bits[port_] : netlist::kZero;
    }

    /// What is written at the same edge to the same word, where the port is to see it.
    Bits seen(Bits word) {
        const std::uint64_t writers = memory_.number("WR_PORTS");
        const std::uint64_t abits = memory_.number("ABITS");
        const Bits address = CellMaker::part(memory_["RD_ADDR"], port_ * abits, abits);
        for (std::uint64_t writer = 0; writer < writers; ++writer) {
            if (digit(memory_, "RD_TRANSPARENCY_MASK", port_ * writers + writer) != '1') continue;
            const Bits other = CellMaker::part(memory_["WR_ADDR"], writer * abits, abits);
            const Bits isSame = maker_.binary("$eq", address, other, 1);
            const Bits enables = CellMaker::part(memory_["WR_EN"], writer * width_, width_);
            const Bits data = CellMaker::part(memory_["WR_DATA"], writer * width_, width_);
            Bits chosen;
            for (std::size_t low = 0; low < width_;) {
                std::size_t high = low + 1;
                while (high < width_ && enables[high] == enables[low])
                    ++high;
                const Bits isWritten = maker_.binary("$and", {enables[low]}, isSame, 1);
                const Bits piece =
                    maker_.choice(isWritten[0], CellMaker::part(data, low, high - low),
                                  CellMaker::part(word, low, high - low));
                chosen.insert(chosen.end(), piece.begin(), piece.end());
                low = high;
            }
            word = std::move(chosen);
        }
        return word;
    }

    void addRegister(const Bits& words, const Bits& data) {
        Bits value = seen(words);
        Bit enable = pin("RD_EN");
        const Bit async = pin("RD_ARST");
        const Bit sync = pin("RD_SRST");
        const bool isEnableFirst = digit(memory_, "RD_CE_OVER_SRST", port_) == '1';
        Cell cell;
        cell.name = fmt::format("{}_read{}", memory_.name, port_);
        cell.attributes = memory_.attributes;
        std::string kind = enable == netlist::kOne ? "dff" : "dffe";
        const auto reset = [&](const std::string& name, Bit bit) {
            cell.connections[name] = {bit};
            cell.parameters[name + "_POLARITY"] = "1";
            cell.parameters[name + "_VALUE"] =
                digits(memory_, fmt::format("RD_{}_VALUE", name), port_ * width_, width_);
        };
        if (netlist::isNet(async)) {
            if (netlist::isNet(sync)) value = chosenAtReset(value, sync, isEnableFirst, enable);
            kind = enable == netlist::kOne ? "adff" : "adffe";
            reset("ARST", async);
        } else if (netlist::isNet(sync)) {
            kind = isEnableFirst && enable != netlist::kOne ? "sdffce" : "s" + kind;
            reset("SRST", sync);
        }
        if (enable != netlist::kOne) {
            cell.connections["EN"] = {enable};
            cell.parameters["EN_POLARITY"] = "1";
        }
        cell.type = "$" + kind;
        cell.connections["CLK"] = {pin("RD_CLK")};
        cell.parameters["CLK_POLARITY"] = digits(memory_, "RD_CLK_POLARITY", port_, 1);
        cell.connections["D"] = std::move(value);
        cell.connections["Q"] = data;
        added_.push_back(std::move(cell));
    }

    /// Both resets: that at the edge chooses what comes in.
    Bits chosenAtReset(const Bits& value, Bit sync, bool isEnableFirst, Bit& enable) {
        Bits start;
        for (const char one : digits(memory_, "RD_SRST_VALUE", port_ * width_, width_))
            start.insert(start.begin(), one == '1' ? netlist::kOne : netlist::kZero);
        if (!isEnableFirst && enable != netlist::kOne)
            enable = maker_.binary("$or", {enable}, {sync}, 1)[0];
        return maker_.choice(sync, start, value);
    }

    void start(const Bits& data) {
        netlist::Net net;
        net.name = "$initial";
        net.isHidden = true;
        net.bits = data;
        net.attributes["init"] = digits(memory_, "RD_INIT_VALUE", port_ * width_, width_);
        module_.nets.push_back(std::move(net));
    }

    netlist::Module& module_;
    Cell& memory_;
    const std::uint32_t port_;
    const std::uint64_t width_;
    CellMaker& maker_;
    std::vector<Cell>& added_;
};

}  // namespace

void takeClocksFromReads(netlist::Module& module) {
    const auto isClocked = [](const Cell& cell) {
        return isMemory(cell)
               && netlist::valueOf(cell.parameters, "RD_CLK_ENABLE").find('1')
                      != std::string_view::npos;
    };
    if (std::ranges::none_of(module.cells, isClocked)) return;
    Bit next = firstFree(module);
    std::vector<Cell> added;
    CellMaker maker(next, added);
    for (Cell& cell : module.cells) {
        if (!isClocked(cell)) continue;
        for (std::uint32_t port = 0; port < cell.number("RD_PORTS"); ++port) {
            if (digit(cell, "RD_CLK_ENABLE", port) == '1')
                ClockedRead(module, cell, port, maker, added).replace();
        }
    }
    std::ranges::move(added, std::back_inserter(module.cells));
}

}  // namespace smec::rtl
