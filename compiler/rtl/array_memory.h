#pragma once

#include <map>

#include "rtl/array_writes.h"

namespace smec::rtl {

/// Makes the cell of the memory that an array becomes.
class MemoryMaker {
public:
    MemoryMaker(const RegisterArray& array, std::size_t addressBits, CellMaker& maker)
        : array_(array), addressBits_(addressBits), maker_(maker) {}

    /// Behind those that were written before.
    void write(const ArrayWrite& write);
    /// The last one, which no gate of the clock holds back.
    void writeAtReset(const ArrayWrite& write);
    /// A word, read in the same cycle.
    netlist::Bits read(const netlist::Bits& address);
    /// Words that the memory is at first, in binary digits, the last word first.
    netlist::Cell take(const std::string& init);

private:
    struct Place {
        netlist::Bits address;
        std::size_t end;
    };

    void append(std::string_view port, const netlist::Bits& bits);
    void writeAt(const netlist::Bits& address, const ArrayWrite& write);

    const RegisterArray& array_;
    const std::size_t addressBits_;
    CellMaker& maker_;
    netlist::Cell cell_;
    std::size_t writers_ = 0;
    std::size_t resetPorts_ = 0;
    std::map<netlist::Bits, netlist::Bits> reads_;
    std::optional<Place> last_;  ///< written, and how far its word is
};

}  // namespace smec::rtl
