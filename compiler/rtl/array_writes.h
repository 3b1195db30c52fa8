#pragma once

#include <deque>
#include <map>
#include <optional>
#include <unordered_map>

#include "rtl/cell_maker.h"
#include "rtl/register_array.h"

namespace smec::rtl {

/// Bits from `low` on of the word at an address, or of all words, become `data` where `enable` is on.
struct ArrayWrite {
    netlist::Bit enable;
    netlist::Bits address;  ///< none: all words
    netlist::Bits data;
    std::size_t low;
};

/// A bit of what a cell computes.
struct CellBit {
    const netlist::Cell* cell = nullptr;
    std::size_t offset = 0;
};

/// Whether a cell of Yosys computes Y of its inputs, and does nothing else.
bool isCombinational(const netlist::Cell& cell);

/// The combinational cell that drives each net.
class CellDrivers {
public:
    CellDrivers() = default;
    explicit CellDrivers(const netlist::Module& module);
    /// None: no cell.
    CellBit of(netlist::Bit bit) const;
    void add(const netlist::Cell& cell);

private:
    std::unordered_map<netlist::Bit, CellBit> drivers_;
};

/// Finds how registers of an array change, by what they become: their inputs, one word for each (a
/// lane), are taken apart side by side, as long as they choose alike.
class ArrayWrites {
public:
    /// `made` are cells that enables need.
    ArrayWrites(const RegisterArray& array, const CellDrivers& drivers, netlist::Bit& next,
                std::vector<netlist::Cell>& made);

    /// One after the other, the last one wins; none: the registers do not change as words of a memory.
    std::optional<std::vector<ArrayWrite>> find();

private:
    using Lanes = std::vector<netlist::Bits>;
    struct Piece {
        std::size_t low;
        std::size_t width;
    };
    /// Where `bit` is on and, if there is a word, in the lane that it says.
    struct Condition {
        netlist::Bit bit = netlist::kOne;
        netlist::Bits word;
    };
    struct Choice {
        Condition condition;
        Lanes yes, no;
    };

    bool over(const Lanes& lanes, const Lanes& base, netlist::Bit enable, std::size_t low);
    bool byPieces(const std::vector<Piece>& pieces, const Lanes& lanes, const Lanes& base,
                  netlist::Bit enable, std::size_t low);
    bool overEither(const Choice& choice, const Lanes& base, netlist::Bit enable, std::size_t low);
    bool atWord(const Lanes& lanes, const Lanes& base, netlist::Bit enable,
                const netlist::Bits& word, std::size_t low);
    std::vector<Piece> piecesOf(const Lanes& lanes, const Lanes& base) const;
    std::optional<Choice> choiceOf(const Lanes& lanes);
    std::optional<Condition> conditionOf(const netlist::Bits& selects) const;
    std::optional<netlist::Bits> wordOf(const netlist::Bits& selects) const;
    const netlist::Cell& asMultiplexers(const netlist::Cell& cell);
    netlist::Bit both(netlist::Bit one, netlist::Bit other);
    netlist::Bit inverse(netlist::Bit bit);

    CellBit driverOf(netlist::Bit bit) const;

    const RegisterArray& array_;
    const CellDrivers& drivers_;
    CellMaker maker_;
    std::deque<netlist::Cell> opened_;  ///< multiplexers of two, to look at
    CellDrivers ofOpened_;
    std::map<const netlist::Cell*, const netlist::Cell*> lastOpened_;
    std::map<std::pair<netlist::Bit, netlist::Bit>, netlist::Bit> both_;
    std::map<netlist::Bit, netlist::Bit> inverse_;
    std::vector<ArrayWrite> writes_;
    std::size_t steps_ = 0;
};

}  // namespace smec::rtl
