#include "rtl/wide_words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "rtl/cell_maker.h"

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

constexpr std::size_t kWide = 64;          // bits; what is wider takes several words of a machine
constexpr std::size_t kMostBranches = 64;  // elements; of more a table is made in each cycle
constexpr std::size_t kNarrowestElement = 8;  // bits; narrower ones are shifted faster than chosen
constexpr std::size_t kWidestIndex = 31;      // bits

// ---------------------------------------------------------------- elements

/// Y = A[index * stride +: width of Y]
struct Element {
    std::size_t stride;
    Bits index;
};

/// Multiplications, by the lowest bit of what they give.
class Products {
public:
    explicit Products(const netlist::Module& module) {
        for (const Cell& cell : module.cells) {
            if (cell.type == "$mul" && !cell["Y"].empty()) byLowest_[cell["Y"][0]] = &cell;
        }
    }

    /// `bits` as index * stride, where they are the whole product of an index and a constant.
    std::optional<Element> factors(const Bits& bits) const {
        const auto found = bits.empty() ? byLowest_.end() : byLowest_.find(bits[0]);
        if (found == byLowest_.end()) return std::nullopt;
        const Cell& cell = *found->second;
        if (!std::ranges::equal(bits, CellMaker::part(cell["Y"], 0, bits.size())))
            return std::nullopt;
        for (const auto& [index, stride] : {std::pair("A", "B"), std::pair("B", "A")}) {
            const std::optional<std::size_t> number = constantOf(cell[stride]);
            const Bits used = withoutZeros(cell[index]);
            const bool isSigned = cell.flag("A_SIGNED") && used.size() == cell[index].size();
            // by a negative one it goes to the left
            const bool isNegative = cell.flag("A_SIGNED") && cell.flag("B_SIGNED")
                                    && cell[stride].back() == netlist::kOne;
            if (!number || *number == 0 || isNegative || isSigned || used.size() > kWidestIndex)
                continue;
            const std::size_t last = ((std::size_t{1} << used.size()) - 1) * *number;
            if (bits.size() < 64 && last >> bits.size() != 0) continue;  // it is cut
            return Element{*number, used};
        }
        return std::nullopt;
    }

    static Bits withoutZeros(Bits bits) {
        while (!bits.empty() && bits.back() == netlist::kZero)
            bits.pop_back();
        return bits;
    }

private:
    /// What is not too much for a stride.
    static std::optional<std::size_t> constantOf(const Bits& bits) {
        const Bits used = withoutZeros(bits);
        std::size_t value = 0;
        for (std::size_t i = 0; i < used.size(); ++i) {
            if (netlist::isNet(used[i]) || i >= kWidestIndex) return std::nullopt;
            value |= std::size_t{used[i] == netlist::kOne} << i;
        }
        return value;
    }

    std::unordered_map<Bit, const Cell*> byLowest_;
};

std::optional<Element> elementOf(const Cell& cell, const Products& products) {
    const std::size_t width = cell["Y"].size();
    if (cell.type == "$bmux") return Element{width, cell["S"]};
    const bool isShift = cell.type == "$shiftx" || cell.type == "$shr" || cell.type == "$shift";
    const Bits& count = cell["B"];
    const bool mayBeNegative =
        cell.flag("B_SIGNED") && (count.empty() || count.back() != netlist::kZero);
    const bool isSigned = mayBeNegative || (cell.type != "$shiftx" && cell.flag("A_SIGNED"));
    if (!isShift || isSigned) return std::nullopt;
    const auto first = std::ranges::find_if(count, [](Bit bit) { return bit != netlist::kZero; });
    const auto zeros = static_cast<std::size_t>(first - count.begin());
    if (zeros >= 32) return std::nullopt;
    const Bits rest = Products::withoutZeros(Bits(first, count.end()));
    if (std::optional<Element> product = products.factors(rest))
        return Element{product->stride << zeros, std::move(product->index)};
    return Element{std::size_t{1} << zeros, rest};
}

/// The cell that drives each net, or the port.
class Drivers {
public:
    explicit Drivers(const netlist::Module& module) : driver_(firstFree(module), 0) {
        std::uint32_t number = 0;
        const auto add = [&](const Bits& bits) {
            ++number;
            for (const Bit bit : bits) {
                if (netlist::isNet(bit)) driver_[bit] = number;
            }
        };
        for (const netlist::Port& port : module.ports) {
            if (port.direction != netlist::Direction::Output) add(port.bits);
        }
        for (const Cell& cell : module.cells) {
            for (const char* port : {"Y", "Q", "RD_DATA"})
                add(cell[port]);
        }
    }

    /// So many pieces of different words are joined there.
    std::size_t pieces(const Bits& bits) const {
        std::size_t count = 0;
        std::uint32_t last = UINT32_MAX;
        for (const Bit bit : bits) {
            const std::uint32_t driver = netlist::isNet(bit) ? driver_[bit] : 0;
            count += driver != last ? 1 : 0;
            last = driver;
        }
        return count;
    }

private:
    std::vector<std::uint32_t> driver_;  ///< 0: none that is known here
};

class Chooser {
public:
    Chooser(const Cell& cell, Element element, CellMaker& maker)
        : cell_(cell), element_(std::move(element)), maker_(maker) {}

    Bits run() { return among(0, element_.index.size()); }

private:
    /// The element whose place is `first` and what the lowest bits of the index add to it.
    Bits among(std::size_t first, std::size_t bits) {
        const std::size_t width = cell_["Y"].size();
        const std::size_t at = first * element_.stride;
        if (at >= cell_["A"].size()) return CellMaker::constant(width, 0);
        if (bits == 0) return CellMaker::part(cell_["A"], at, width);
        const Bits low = among(first, bits - 1);
        const std::size_t step = bits - 1 < 32 ? std::size_t{1} << (bits - 1) : cell_["A"].size();
        return maker_.choice(element_.index[bits - 1], among(first + step, bits - 1), low);
    }

    const Cell& cell_;
    Element element_;
    CellMaker& maker_;
};

bool mayBeChosen(const Cell& cell, const Products& products) {
    if (cell["A"].size() <= kWide) return false;
    const std::optional<Element> element = elementOf(cell, products);
    return element && element->stride >= kNarrowestElement && cell["Y"].size() <= element->stride;
}

/// A cell of our own: the elements that lie in A one after the other, of which S chooses one.
Cell tableOf(const Cell& cell, const Element& element) {
    Bits elements;
    for (std::size_t at = 0; at < cell["A"].size(); at += element.stride) {
        const Bits one = CellMaker::part(cell["A"], at, cell["Y"].size());
        elements.insert(elements.end(), one.begin(), one.end());
    }
    return {cell.name,
            "$element",
            {},
            cell.attributes,
            {{"A", std::move(elements)}, {"S", element.index}, {"Y", cell["Y"]}}};
}

/// One word is indexed where it lies, but joining many takes longer than choosing one. Returns
/// whether the cell goes.
bool chooseElement(Cell& cell, const Products& products, const Drivers& drivers, CellMaker& maker) {
    if (!mayBeChosen(cell, products)) return false;
    const Element element = *elementOf(cell, products);
    const Bits& whole = cell["A"];
    if (drivers.pieces(whole) * 2 * element.stride < whole.size()) return false;
    if (whole.size() > kMostBranches * element.stride) {
        if (element.index.size() <= kWidestIndex) cell = tableOf(cell, element);
        return false;
    }
    maker.replace(cell);
    maker.drive(cell["Y"], Chooser(cell, element, maker).run());
    return true;
}

void chooseElements(netlist::Module& module) {
    const Products products(module);
    if (std::ranges::none_of(module.cells,
                             [&](const Cell& cell) { return mayBeChosen(cell, products); }))
        return;
    Bit next = firstFree(module);
    std::vector<Cell> added;
    CellMaker maker(next, added);
    const Drivers drivers(module);
    std::erase_if(module.cells,
                  [&](Cell& cell) { return chooseElement(cell, products, drivers, maker); });
    std::ranges::move(added, std::back_inserter(module.cells));
}

// ---------------------------------------------------------------- bits that are read

constexpr std::array kBitByBit =
    std::to_array<std::string_view>({"$and", "$or", "$xor", "$xnor", "$not", "$pos", "$mux"});

bool isBitwise(const Cell& cell) {
    return std::ranges::find(kBitByBit, cell.type) != kBitByBit.end();
}

/// What can do with fewer bits.
bool isNarrowed(const Cell& cell) {
    return cell["Y"].size() > kWide && (isBitwise(cell) || cell.type == "$demux");
}

/// As wide as the output.
Bits operand(const Cell& cell, const char* port) {
    const bool isSigned = cell.flag("A_SIGNED") && (cell["B"].empty() || cell.flag("B_SIGNED"));
    return CellMaker::resized(cell[port], cell["Y"].size(), isSigned);
}

/// What is read of the outputs of some cells, by all that is not one of them, or that is read itself.
class Readers {
public:
    explicit Readers(const netlist::Module& module)
        : module_(module), isRead_(firstFree(module)), driver_(isRead_.size()) {
        for (std::uint32_t i = 0; i < module.cells.size(); ++i) {
            if (!isNarrowed(module.cells[i])) continue;
            std::uint32_t offset = 0;
            for (const Bit bit : module.cells[i]["Y"])
                driver_[bit] = {i, offset++};
        }
        for (const netlist::Port& port : module.ports)
            read(port.bits);
        for (const Cell& cell : module.cells) {
            if (isNarrowed(cell)) continue;
            for (const auto& [name, bits] : cell.connections)
                read(bits);
        }
        spread();
    }

    bool operator()(Bit bit) const { return isRead_[bit]; }

private:
    struct Place {
        std::uint32_t cell = UINT32_MAX;  ///< that: none of these
        std::uint32_t offset = 0;
    };

    void read(Bit bit) {
        if (!netlist::isNet(bit) || isRead_[bit]) return;
        isRead_[bit] = true;
        if (driver_[bit].cell != UINT32_MAX) todo_.push_back(driver_[bit]);
    }
    void read(const Bits& bits) {
        for (const Bit bit : bits)
            read(bit);
    }

    void spread() {
        while (!todo_.empty()) {
            const auto [number, at] = todo_.back();
            todo_.pop_back();
            const Cell& cell = module_.cells[number];
            read(cell["S"]);
            if (cell.type == "$demux") {
                read(cell["A"][at % cell["A"].size()]);
                continue;
            }
            for (const char* port : {"A", "B"})
                readAt(cell, port, at);
        }
    }

    void readAt(const Cell& cell, const char* port, std::size_t at) {
        const Bits& bits = cell[port];
        if (bits.empty()) return;
        read(at < bits.size() ? bits[at] : bits.back());  // the last one may be a sign
    }

    const netlist::Module& module_;
    std::vector<bool> isRead_;
    std::vector<Place> driver_;
    std::vector<Place> todo_;
};

Bits selected(const Bits& bits, const std::vector<std::size_t>& places) {
    Bits some;
    for (const std::size_t place : places)
        some.push_back(bits[place]);
    return some;
}

void keepBits(Cell& cell, const std::vector<std::size_t>& places) {
    netlist::Named<Bits> kept{{"Y", selected(cell["Y"], places)}};
    for (const char* port : {"A", "B"}) {
        if (!cell[port].empty()) kept[port] = selected(operand(cell, port), places);
    }
    if (!cell["S"].empty()) kept["S"] = cell["S"];
    cell.connections = std::move(kept);
    for (const char* sign : {"A_SIGNED", "B_SIGNED"})
        cell.parameters[sign] = "0";
}

/// Each place that is read compares for itself, where these are few.
bool keepPlaces(const Cell& cell, const Readers& isRead, CellMaker& maker) {
    const std::size_t width = cell["A"].size();
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < cell["Y"].size(); ++i) {
        if (isRead(cell["Y"][i]) && (places.empty() || places.back() != i / width))
            places.push_back(i / width);
    }
    if (places.size() * kWide > cell["Y"].size() || cell["S"].size() > kWide) return false;
    maker.replace(cell);
    for (const std::size_t place : places) {
        const Bits number = CellMaker::constant(cell["S"].size(), place);
        const Bit isHere = maker.binary("$eq", cell["S"], number, 1)[0];
        maker.drive(CellMaker::part(cell["Y"], place * width, width),
                    maker.choice(isHere, cell["A"], CellMaker::constant(width, 0)));
    }
    return true;
}

/// Returns whether the cell goes.
bool narrow(Cell& cell, const Readers& isRead, CellMaker& maker) {
    if (cell.type == "$demux") return keepPlaces(cell, isRead, maker);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < cell["Y"].size(); ++i) {
        if (isRead(cell["Y"][i])) places.push_back(i);
    }
    if (places.size() < cell["Y"].size()) keepBits(cell, places);
    return places.empty();
}

}  // namespace

void narrowWideWords(netlist::Module& module) {
    chooseElements(module);
    if (std::ranges::none_of(module.cells, isNarrowed)) return;
    Bit next = firstFree(module);
    std::vector<Cell> added;
    CellMaker maker(next, added);
    const Readers isRead(module);
    std::erase_if(module.cells,
                  [&](Cell& cell) { return isNarrowed(cell) && narrow(cell, isRead, maker); });
    std::ranges::move(added, std::back_inserter(module.cells));
}

}  // namespace smec::rtl
