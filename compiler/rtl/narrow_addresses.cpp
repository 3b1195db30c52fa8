#include "rtl/narrow_addresses.h"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "rtl/cell_maker.h"
#include "rtl/registers.h"

//     reg [7:0] ram [0:255];
//     if (we) ram[address[31:2]] <= d;      becomes a write to 8 bits of the address, and its enable
//                                           we & !(address[31:10])

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

std::uint64_t bitsFor(const Cell& memory) {
    const std::uint64_t words = memory.number("OFFSET") + memory.number("SIZE");
    return words == 0 ? 0 : static_cast<std::uint64_t>(std::bit_width(words - 1));
}

Bits lowOfEach(const Bits& addresses, std::uint64_t all, std::uint64_t low) {
    Bits narrow;
    for (std::uint64_t from = 0; from < addresses.size(); from += all) {
        const Bits part = CellMaker::part(addresses, from, low);
        narrow.insert(narrow.end(), part.begin(), part.end());
    }
    return narrow;
}

class Writes {
public:
    Writes(Cell& memory, CellMaker& maker) : memory_(memory), maker_(maker) {
        maker_.replace(memory);
    }

    /// The port writes only where these bits are all off.
    void restrict(std::uint64_t port, Bits high) {
        std::erase(high, netlist::kZero);
        if (high.empty()) return;
        const bool isNever = std::ranges::find(high, netlist::kOne) != high.end();
        const Bit isWord = isNever ? netlist::kZero : maker_.unary("$logic_not", high, 1).front();
        std::map<Bit, Bit> enables;  // bits of a word have the same one
        const std::uint64_t width = memory_.number("WIDTH");
        Bits& all = memory_.connections["WR_EN"];
        for (std::uint64_t i = port * width; i < (port + 1) * width; ++i) {
            if (!enables.contains(all[i])) enables[all[i]] = both(all[i], isWord);
            all[i] = enables[all[i]];
        }
    }

private:
    Bit both(Bit enable, Bit isWord) {
        if (enable == netlist::kZero || isWord == netlist::kZero) return netlist::kZero;
        if (enable == netlist::kOne) return isWord;
        return maker_.binary("$and", {enable}, {isWord}, 1).front();
    }

    Cell& memory_;
    CellMaker& maker_;
};

void narrow(Cell& memory, CellMaker& maker) {
    const std::uint64_t all = memory.number("ABITS");
    const std::uint64_t low = bitsFor(memory);
    if (low >= all) return;
    Writes writes(memory, maker);
    for (std::uint64_t port = 0; port < memory.number("WR_PORTS"); ++port)
        writes.restrict(port, CellMaker::part(memory["WR_ADDR"], port * all + low, all - low));
    for (const char* pin : {"RD_ADDR", "WR_ADDR"})
        memory.connections[pin] = lowOfEach(memory[pin], all, low);
    memory.parameters["ABITS"] = fmt::format("{:b}", low);
}

}  // namespace

void narrowAddresses(netlist::Module& module) {
    if (std::ranges::none_of(module.cells, isMemory)) return;
    Bit next = firstFree(module);
    std::vector<Cell> added;
    CellMaker maker(next, added);
    for (Cell& cell : module.cells) {
        if (isMemory(cell)) narrow(cell, maker);
    }
    std::ranges::move(added, std::back_inserter(module.cells));
}

}  // namespace smec::rtl
