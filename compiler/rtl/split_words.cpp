#include "rtl/split_words.h"

#include <algorithm>
#include <array>

#include "rtl/cell_maker.h"
#include "rtl/word_loops.h"

//     wire [3:0] c = {c[2:0] & p, first};      c[0] alone, c[1] from c[0], …
//
// A gap lies between neighbouring bits of a cell's output. It is cut where a cell of the same loop
// reads one of both bits only, or another bit beside it; a cut goes on through what computes bit by
// bit, to both sides, until it changes nothing.

namespace smec::rtl {
namespace {

using netlist::Bits;
using netlist::Cell;

constexpr std::array kBitwise = std::to_array<std::string_view>(
    {"$and", "$or", "$xor", "$xnor", "$not", "$pos", "$mux", "$pmux"});
constexpr std::array kSums = std::to_array<std::string_view>({"$add", "$sub"});

/// Operands as wide as the output, of which each bit is made.
struct Operand {
    std::string port;
    Bits bits;
};

std::vector<Operand> operandsByBit(const Cell& cell) {
    const std::size_t width = cell["Y"].size();
    std::vector<Operand> operands;
    if (cell.type == "$pmux") {
        for (std::size_t i = 0; i < cell["S"].size(); ++i)
            operands.push_back({"B", CellMaker::part(cell["B"], i * width, width)});
        operands.push_back({"A", cell["A"]});
        return operands;
    }
    const bool isSigned = cell.flag("A_SIGNED") && (cell["B"].empty() || cell.flag("B_SIGNED"));
    for (const char* port : {"A", "B"}) {
        if (!cell[port].empty())
            operands.push_back({port, CellMaker::resized(cell[port], width, isSigned)});
    }
    return operands;
}

class Splitter {
public:
    Splitter(netlist::Module& module, const WordLoops& loops, bool withSums)
        : module_(module), loops_(loops), withSums_(withSums), first_(module.cells.size(), 0) {
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < module.cells.size(); ++i) {
            if (loops.loop[i] == WordLoops::kNone) continue;
            first_[i] = bits;
            bits += static_cast<std::uint32_t>(module.cells[i]["Y"].size());
        }
        isCut_.resize(bits);
        same_.resize(bits);
    }

    void run() {
        for (std::uint32_t i = 0; i < loops_.loop.size(); ++i) {
            if (loops_.loop[i] != WordLoops::kNone) look(i);
        }
        spread();
        replace();
    }

private:
    bool isSplit(const Cell& cell) const {
        return netlist::isOneOf(kBitwise, cell) || (withSums_ && netlist::isOneOf(kSums, cell));
    }

    void look(std::uint32_t reader) {
        const Cell& cell = module_.cells[reader];
        if (!isSplit(cell)) {
            for (const auto& [port, bits] : cell.connections) {
                if (port != "Y") lookAt(reader, bits, false);
            }
            return;
        }
        for (const Operand& operand : operandsByBit(cell))
            lookAt(reader, operand.bits, true);
        lookAt(reader, cell["S"], false);
    }

    void lookAt(std::uint32_t reader, const Bits& bits, bool isByBit) {
        for (std::uint32_t i = 0; i <= bits.size(); ++i) {
            const BitPlace below = i == 0 ? kNowhere : inLoop(reader, bits[i - 1]);
            const BitPlace above = i == bits.size() ? kNowhere : inLoop(reader, bits[i]);
            const bool goesOn = below.cell != WordLoops::kNone && below.cell == above.cell
                                && below.offset + 1 == above.offset;
            const bool isInside = isByBit && i > 0 && i < bits.size();
            if (goesOn) {
                if (!isInside) continue;
                const std::uint32_t here = first_[reader] + i;
                const std::uint32_t there = first_[above.cell] + above.offset;
                same_[here].push_back(there);
                same_[there].push_back(here);
                continue;
            }
            if (above.cell != WordLoops::kNone) cut(above.cell, above.offset);
            if (below.cell != WordLoops::kNone) cut(below.cell, below.offset + 1);
            const bool isRead = above.cell != WordLoops::kNone || below.cell != WordLoops::kNone;
            if (isInside && isRead) cut(reader, i);
        }
    }

    BitPlace inLoop(std::uint32_t reader, netlist::Bit bit) const {
        const BitPlace place = loops_.placeOf(bit);
        const bool isIn =
            place.cell != WordLoops::kNone && loops_.loop[place.cell] == loops_.loop[reader];
        return isIn ? place : kNowhere;
    }

    void cut(std::uint32_t cell, std::uint32_t offset) {
        if (offset == 0 || offset >= module_.cells[cell]["Y"].size()) return;
        const std::uint32_t gap = first_[cell] + offset;
        if (isCut_[gap]) return;
        isCut_[gap] = true;
        todo_.push_back(gap);
    }

    void spread() {
        while (!todo_.empty()) {
            const std::uint32_t gap = todo_.back();
            todo_.pop_back();
            for (const std::uint32_t other : same_[gap]) {
                if (isCut_[other]) continue;
                isCut_[other] = true;
                todo_.push_back(other);
            }
        }
    }

    void replace() {
        netlist::Bit next = firstFree(module_);
        std::vector<Cell> added;
        CellMaker maker(next, added);
        std::vector<bool> isGone(module_.cells.size());
        for (std::size_t i = 0; i < module_.cells.size(); ++i) {
            const Cell& cell = module_.cells[i];
            if (loops_.loop[i] == WordLoops::kNone || !isSplit(cell)) continue;
            const std::vector<std::size_t> ends = endsOf(i);
            if (ends.size() < 2) continue;
            isGone[i] = true;
            maker.replace(cell);
            if (netlist::isOneOf(kSums, cell))
                addInParts(cell, ends, maker);
            else
                byParts(cell, ends, added);
        }
        std::size_t at = 0;
        std::erase_if(module_.cells, [&](const Cell&) { return isGone[at++]; });
        std::ranges::move(added, std::back_inserter(module_.cells));
    }

    std::vector<std::size_t> endsOf(std::size_t cell) const {
        std::vector<std::size_t> ends;
        const std::size_t width = module_.cells[cell]["Y"].size();
        for (std::size_t i = 1; i < width; ++i) {
            if (isCut_[first_[cell] + i]) ends.push_back(i);
        }
        ends.push_back(width);
        return ends;
    }

    static void byParts(const Cell& cell, const std::vector<std::size_t>& ends,
                        std::vector<Cell>& added) {
        const std::vector<Operand> operands = operandsByBit(cell);
        std::size_t from = 0;
        for (const std::size_t end : ends) {
            Cell& made = added.emplace_back(cell);
            made.parameters.clear();
            made.connections.erase("A");
            made.connections.erase("B");
            made.connections["Y"] = CellMaker::part(cell["Y"], from, end - from);
            for (const Operand& operand : operands) {
                Bits& bits = made.connections[operand.port];
                const Bits own = CellMaker::part(operand.bits, from, end - from);
                bits.insert(bits.end(), own.begin(), own.end());
            }
            from = end;
        }
    }

    /// Each part with the carry of the one below.
    static void addInParts(const Cell& cell, const std::vector<std::size_t>& ends,
                           CellMaker& maker) {
        const std::vector<Operand> operands = operandsByBit(cell);
        const bool isDifference = cell.type == "$sub";
        netlist::Bit carry = isDifference ? netlist::kOne : netlist::kZero;
        std::size_t from = 0;
        for (const std::size_t end : ends) {
            const std::size_t width = end - from;
            Bits b = CellMaker::part(operands[1].bits, from, width);
            if (isDifference) b = maker.unary("$not", b, width);
            Bits sum =
                maker.binary("$add", CellMaker::part(operands[0].bits, from, width), b, width + 1);
            if (carry != netlist::kZero) sum = maker.binary("$add", sum, {carry}, width + 1);
            maker.drive(CellMaker::part(cell["Y"], from, width), CellMaker::part(sum, 0, width));
            carry = sum.back();
            from = end;
        }
    }

    static constexpr BitPlace kNowhere{WordLoops::kNone, 0};

    netlist::Module& module_;
    const WordLoops& loops_;
    const bool withSums_;
    std::vector<std::uint32_t> first_;  ///< number of each cell's lowest bit, of those in loops
    std::vector<bool> isCut_;           ///< by bit: between it and the one below
    std::vector<std::vector<std::uint32_t>> same_;  ///< gaps that are cut together
    std::vector<std::uint32_t> todo_;
};

}  // namespace

void splitWords(netlist::Module& module) {
    for (const bool withSums : {false, true}) {
        const WordLoops loops(module);
        if (!loops.isAny()) return;
        Splitter(module, loops, withSums).run();
    }
}

}  // namespace smec::rtl
