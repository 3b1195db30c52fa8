#include "rtl/register_arrays.h"

#include <algorithm>
#include <bit>

#include "rtl/array_memory.h"
#include "rtl/array_reads.h"
#include "rtl/array_slices.h"

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;
using netlist::Module;

/// Of the words, that many may be read without an address.
std::size_t mostAlone(const RegisterArray& array) {
    return std::max<std::size_t>(2, array.size() / 8);
}

Bits valueAtReset(const Cell& reg) {
    return CellMaker::ofDigits(netlist::valueOf(reg.parameters, "ARST_VALUE"), reg["Q"].size());
}

/// What the nets of the registers are at first, as a memory says it.
std::string firstWords(const Module& module, const RegisterArray& array,
                       const ElementBits& elements) {
    std::string digits(array.size() * array.width(), 'x');
    for (const netlist::Net& net : module.nets) {
        const std::string_view init = netlist::valueOf(net.attributes, "init");
        for (std::size_t i = 0; i < std::min(init.size(), net.bits.size()); ++i) {
            const ElementBits::Place* place = elements.find(net.bits[i]);
            if (place)
                digits[digits.size() - 1 - (place->element * array.width() + place->offset)] =
                    init[init.size() - 1 - i];
        }
    }
    return digits;
}

/// One array of a module.
class ArrayJoining {
public:
    ArrayJoining(Module& module, const RegisterArray& array, const CellDrivers& drivers,
                 bool isResetSync)
        : module_(module),
          array_(array),
          drivers_(drivers),
          isResetSync_(isResetSync),
          next_(firstFree(module)),
          maker_(next_, added_),
          elements_(array) {
        maker_.replace(*array.registers[0]);
    }

    /// Returns whether it is a memory now.
    bool run() {
        std::optional<std::vector<ArrayWrite>> writes =
            ArrayWrites(array_, drivers_, next_, added_).find();
        if (!writes) return false;
        if (hasReset()) reset_ = {resetBit(), {}, valueAtReset(*array_.registers[0]), 0};
        const ArrayReads reads =
            ReadFinder(array_, elements_, drivers_, isZeroBeyond()).all(module_);
        Needed needed(module_, drivers_, elements_, reads);
        needed.needOutside(array_);
        for (const ArrayWrite& write : *writes) {
            for (const Bits* bits : {&write.address, &write.data})
                needed.need(*bits);
            needed.need({write.enable});
        }
        if (reset_) needed.need({reset_->enable});
        for (const Cell& cell : added_) {
            for (const auto& [port, bits] : cell.connections)
                if (port != "Y") needed.need(bits);
        }
        if (needed.alone().size() > mostAlone(array_)) return false;
        replace(*writes, reads, needed);
        return true;
    }

private:
    bool hasReset() const { return array_.registers[0]->type == "$adff"; }

    Bit resetBit() {
        const Cell& one = *array_.registers[0];
        return maker_.as(one["ARST"][0], one.flag("ARST_POLARITY"));
    }

    /// A reset that is read at once may be no 0.
    bool isZeroBeyond() const {
        const Bits value = valueAtReset(*array_.registers[0]);
        return !hasReset() || isResetSync_
               || std::ranges::all_of(value, [](Bit bit) { return bit == netlist::kZero; });
    }

    void replace(const std::vector<ArrayWrite>& writes, const ArrayReads& reads,
                 const Needed& needed) {
        std::size_t addressBits = std::bit_width(array_.first + array_.size() - 1);
        for (const ArrayWrite& write : writes)
            addressBits = std::max(addressBits, write.address.size());
        for (const auto& [cell, read] : reads)
            addressBits = std::max(addressBits, read.word.size());
        MemoryMaker memory(array_, addressBits, maker_);
        for (const ArrayWrite& write : writes)
            memory.write(write);
        if (reset_) memory.writeAtReset(*reset_);
        std::map<Bit, Bit> renamed;
        for (const std::size_t element : needed.alone()) {
            const Bits address = CellMaker::constant(addressBits, array_.first + element);
            const Bits& was = (*array_.registers[element])["Q"];
            const Bits is = seen(memory.read(address));
            for (std::size_t i = 0; i < was.size(); ++i)
                renamed[was[i]] = is[i];
        }
        for (Cell& cell : module_.cells) {
            const auto read = reads.find(&cell);
            if (read != reads.end() && needed.isLive(cell)) readWord(cell, read->second, memory);
        }
        Cell made = memory.take(firstWords(module_, array_, elements_));
        keepNeeded(needed);
        module_.cells.push_back(std::move(made));
        std::ranges::move(added_, std::back_inserter(module_.cells));
        rename(renamed);
    }

    /// While it is on, an asynchronous reset is what all words are.
    Bits seen(const Bits& word) {
        if (!hasReset() || isResetSync_) return word;
        Bits& known = seen_[word];
        if (known.empty())
            known = maker_.choice(resetBit(), valueAtReset(*array_.registers[0]), word);
        return known;
    }

    void readWord(Cell& cell, const ArrayRead& read, MemoryMaker& memory) {
        const Bits own = cell["Y"];
        Bits word = CellMaker::part(seen(memory.read(read.word)), read.low, own.size());
        if (read.hasElse) word = maker_.choice(isWord(read.word), word, cell["A"]);
        cell.parameters.clear();
        cell.type = read.others.empty() ? "$pos" : read.others.size() == 1 ? "$mux" : "$pmux";
        netlist::Named<Bits> pins{{"A", std::move(word)}, {"Y", own}};
        for (const std::size_t other : read.others) {
            const Bits one = CellMaker::part(cell["B"], other * own.size(), own.size());
            pins["B"].insert(pins["B"].end(), one.begin(), one.end());
            pins["S"].push_back(cell["S"][other]);
        }
        cell.connections = std::move(pins);
    }

    /// Whether an address is one of a word.
    Bit isWord(const Bits& address) {
        const std::size_t width =
            std::max<std::size_t>(address.size(), std::bit_width(array_.first + array_.size()));
        const auto compared = [&](std::string_view type, std::size_t bound) {
            return maker_.binary(type, CellMaker::part(address, 0, width),
                                 CellMaker::constant(width, bound), 1);
        };
        const Bits below = compared("$lt", array_.first + array_.size());
        if (array_.first == 0) return below[0];
        return maker_.binary("$and", below, compared("$ge", array_.first), 1)[0];
    }

    void keepNeeded(const Needed& needed) {
        std::vector<Cell> kept;
        const std::set<const Cell*> registers(array_.registers.begin(), array_.registers.end());
        for (Cell& cell : module_.cells) {
            if (!registers.contains(&cell) && needed.isLive(cell)) kept.push_back(std::move(cell));
        }
        module_.cells = std::move(kept);
    }

    void rename(const std::map<Bit, Bit>& renamed) {
        const auto replaceIn = [&](Bits& bits) {
            bool isThere = true;
            for (Bit& bit : bits) {
                if (!elements_.find(bit)) continue;
                const auto found = renamed.find(bit);
                isThere = isThere && found != renamed.end();
                if (found != renamed.end()) bit = found->second;
            }
            return isThere;
        };
        for (netlist::Port& port : module_.ports)
            replaceIn(port.bits);
        for (Cell& cell : module_.cells) {
            for (auto& [port, bits] : cell.connections)
                replaceIn(bits);
        }
        std::erase_if(module_.nets, [&](netlist::Net& net) {
            const bool isElement = !net.bits.empty() && elements_.find(net.bits[0])
                                   && net.name.starts_with(array_.name + "[");
            return !replaceIn(net.bits) || isElement;
        });
    }

    Module& module_;
    const RegisterArray& array_;
    const CellDrivers& drivers_;
    const bool isResetSync_;
    Bit next_;
    std::vector<Cell> added_;
    CellMaker maker_;
    const ElementBits elements_;
    std::optional<ArrayWrite> reset_;
    std::map<Bits, Bits> seen_;
};

/// The same, of an array that is one net.
bool joinSlices(Module& module, const RegisterArray& array, bool isResetSync) {
    std::optional<Module> opened = openArraySlices(module, array);
    if (!opened) return false;
    const std::vector<RegisterArray> arrays = findRegisterArrays(*opened);
    const auto same = std::ranges::find_if(arrays, [&](const RegisterArray& one) {
        return one.isSliced && one.name == array.name && one.first == array.first;
    });
    const CellDrivers drivers(*opened);
    if (same == arrays.end() || !ArrayJoining(*opened, *same, drivers, isResetSync).run())
        return false;
    module = std::move(*opened);
    return true;
}

}  // namespace

void joinRegisterArrays(Module& module, bool isResetSync) {
    std::set<std::pair<std::string, std::uint64_t>> tried;
    bool isChanged = true;
    while (isChanged) {
        isChanged = false;
        const std::vector<RegisterArray> arrays = findRegisterArrays(module);
        if (arrays.empty()) return;
        const CellDrivers drivers(module);
        for (const RegisterArray& array : arrays) {
            if (!tried.insert({array.name, array.first}).second) continue;
            isChanged = array.isSliced ? joinSlices(module, array, isResetSync)
                                       : ArrayJoining(module, array, drivers, isResetSync).run();
            if (isChanged) break;  // cells are elsewhere now
        }
    }
}

}  // namespace smec::rtl
