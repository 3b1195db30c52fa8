#include "rtl/array_slices.h"

#include <algorithm>
#include <bit>
#include <map>

#include "rtl/array_reads.h"
#include "rtl/array_writes.h"

//     mem' = $bwmux(mem, {d, d, d, …}, $demux(mask, select))
//
// becomes mem'[i] = mask & (word == i) ? d : mem[i], where `word` is the select, counted as the source
// does

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;
using netlist::Module;

constexpr std::size_t kMostSelectBits = 12;
constexpr std::size_t kMostRenames = 1000;  // one behind the other; more are a loop

class SliceOpener {
public:
    SliceOpener(const Module& module, const RegisterArray& array)
        : array_(array),
          elements_(array),
          opened_(module),
          drivers_(opened_),
          next_(firstFree(module)),
          maker_(next_, added_) {
        maker_.replace(*array.registers[0]);
    }

    std::optional<Module> run() {
        if (!findLanes()) return std::nullopt;
        for (Cell& cell : opened_.cells) {
            if (cell.type == "$mux") skipUnknownSide(cell);
            if (cell.type == "$bwmux" && cell["Y"].size() == array_.size() * array_.width())
                openWrite(cell);
            if (cell.type == "$bmux" && cell["S"].size() <= kMostSelectBits) openRead(cell);
        }
        std::ranges::move(added_, std::back_inserter(opened_.cells));
        rename();
        if (isLoop_) return std::nullopt;
        return std::move(opened_);
    }

private:
    /// Which lane of the net an element is: their order, or the other way round.
    bool findLanes() {
        const auto net = std::ranges::find(opened_.nets, array_.name, &netlist::Net::name);
        if (net == opened_.nets.end() || net->bits.size() != array_.size() * array_.width())
            return false;
        const auto isInOrder = [&](bool isReversed) {
            for (std::size_t i = 0; i < array_.size(); ++i) {
                const std::size_t lane = isReversed ? array_.size() - 1 - i : i;
                if (CellMaker::part(net->bits, lane * array_.width(), array_.width())
                    != (*array_.registers[i])["Q"])
                    return false;
            }
            return true;
        };
        isReversed_ = isInOrder(true);
        return isReversed_ || isInOrder(false);
    }

    std::size_t laneOf(std::size_t element) const {
        return isReversed_ ? array_.size() - 1 - element : element;
    }

    void skipUnknownSide(const Cell& cell) {
        const auto isUnknown = [](const Bits& bits) {
            return std::ranges::all_of(bits, [](Bit bit) { return bit == netlist::kUnknown; });
        };
        const bool isFirst = isUnknown(cell["A"]);
        if (!isFirst && !isUnknown(cell["B"])) return;
        const Bits& other = cell[isFirst ? "B" : "A"];
        for (std::size_t i = 0; i < other.size(); ++i)
            renamed_[cell["Y"][i]] = other[i];
    }

    /// A select as the source's index, and how far it is beyond the lane.
    struct Word {
        Bits bits;
        std::uint64_t first = 0;  ///< of which index the select 0 is
        std::uint64_t valueOf(std::uint64_t select, bool isReversed) const {
            const std::uint64_t value = isReversed ? first - select : first + select;
            return bits.size() >= 64 ? value : value & ((std::uint64_t{1} << bits.size()) - 1);
        }
    };

    /// `before`: the select of the lane 0.
    std::optional<Word> wordOf(const Bits& select, std::uint64_t before) {
        const std::uint64_t most = (std::uint64_t{1} << select.size()) - 1;
        if (!isReversed_) {
            if (array_.first < before) return std::nullopt;
            const std::uint64_t first = array_.first - before;
            if (first == 0) return Word{select, 0};
            return Word{calculated("$add", first, select, std::bit_width(first + most)), first};
        }
        const std::uint64_t last = array_.first + array_.size() - 1 + before;
        if (last == most) {
            if (const std::optional<Bits> inner = inverted(select)) return Word{*inner, last};
        }
        const auto width = std::max<std::size_t>(select.size(), std::bit_width(last));
        return Word{calculated("$sub", last, select, width), last};
    }

    Bits calculated(std::string_view type, std::uint64_t number, const Bits& select,
                    std::size_t width) {
        Bits& known = calculated_[{number, select}];
        if (known.empty())
            known = maker_.binary(type, CellMaker::constant(width, number),
                                  CellMaker::part(select, 0, width), width);
        return known;
    }

    /// What these bits are the inverse of.
    std::optional<Bits> inverted(const Bits& bits) const {
        Bits inner;
        for (const Bit bit : bits) {
            const CellBit driver = drivers_.of(bit);
            if (!driver.cell || driver.cell->type != "$not") return std::nullopt;
            const Bits& from = (*driver.cell)["A"];
            if (driver.offset >= from.size()) return std::nullopt;
            inner.push_back(from[driver.offset]);
        }
        return inner;
    }

    Bit isWord(const Word& word, std::uint64_t select) {
        const std::uint64_t value = word.valueOf(select, isReversed_);
        const auto [found, isNew] = tests_.try_emplace({word.bits, value});
        if (isNew)
            found->second =
                maker_.binary("$eq", word.bits, CellMaker::constant(word.bits.size(), value), 1)[0];
        return found->second;
    }

    /// A bit that is on where a condition is.
    Bit conditionOf(Bit mask) const {
        const CellBit driver = drivers_.of(mask);
        if (!driver.cell || driver.cell->type != "$mux") return mask;
        const Bit no = (*driver.cell)["A"][driver.offset];
        const Bit yes = (*driver.cell)["B"][driver.offset];
        if (no == netlist::kZero && yes == netlist::kOne) return (*driver.cell)["S"][0];
        return no == netlist::kZero && yes == netlist::kZero ? no : mask;
    }

    void openWrite(const Cell& cell) {
        const Cell* demultiplexer = nullptr;
        for (const Bit bit : cell["S"]) {
            const Cell* driver = drivers_.of(bit).cell;
            if (driver && driver->type == "$demux") demultiplexer = driver;
        }
        if (!demultiplexer || (*demultiplexer)["A"].size() != array_.width()
            || (*demultiplexer)["S"].size() > kMostSelectBits)
            return;
        const Bits& all = (*demultiplexer)["Y"];
        const auto start = std::ranges::search(all, cell["S"]);
        if (start.empty()) return;
        const auto offset = static_cast<std::size_t>(start.begin() - all.begin());
        if (offset % array_.width() != 0) return;
        const std::uint64_t before = offset / array_.width();
        const std::optional<Word> word = wordOf((*demultiplexer)["S"], before);
        if (!word) return;
        for (std::size_t i = 0; i < array_.size(); ++i)
            writeLane(cell, laneOf(i), (*demultiplexer)["A"], isWord(*word, laneOf(i) + before));
    }

    void writeLane(const Cell& cell, std::size_t lane, const Bits& masks, Bit isChosen) {
        const std::size_t width = array_.width();
        for (std::size_t low = 0; low < width;) {
            const Bit condition = conditionOf(masks[low]);
            std::size_t end = low + 1;
            while (end < width && conditionOf(masks[end]) == condition)
                ++end;
            const auto part = [&](std::string_view pin) {
                return CellMaker::part(cell[pin], lane * width + low, end - low);
            };
            Bits made = part("A");
            if (condition != netlist::kZero)
                made = maker_.choice(both(condition, isChosen), part("B"), made);
            for (std::size_t i = low; i < end; ++i)
                renamed_[cell["Y"][lane * width + i]] = made[i - low];
            low = end;
        }
    }

    Bit both(Bit condition, Bit isChosen) {
        if (condition == netlist::kOne) return isChosen;
        const auto [found, isNew] = both_.try_emplace({condition, isChosen});
        if (isNew) found->second = maker_.binary("$and", {condition}, {isChosen}, 1)[0];
        return found->second;
    }

    void openRead(Cell& cell) {
        const Bits words = cell["A"], select = cell["S"];
        const std::size_t width = cell["Y"].size();
        const auto first =
            std::ranges::find_if(words, [&](Bit bit) { return elements_.find(bit) != nullptr; });
        if (first == words.end()) return;
        const auto at = static_cast<std::size_t>(first - words.begin()) / width;
        const std::size_t lane = laneOf(elements_.find(*first)->element);
        if (at < lane) return;
        const std::optional<Word> word = wordOf(select, at - lane);
        if (!word) return;
        netlist::Named<Bits> pins{{"A", Bits(width, netlist::kUnknown)}, {"Y", cell["Y"]}};
        for (std::size_t i = 0; i < words.size() / width; ++i) {
            const Bits one = CellMaker::part(words, i * width, width);
            if (std::ranges::all_of(one, [](Bit bit) { return bit == netlist::kUnknown; }))
                continue;
            pins["B"].insert(pins["B"].end(), one.begin(), one.end());
            pins["S"].push_back(isWord(*word, i));
        }
        cell.type = "$pmux";
        cell.parameters.clear();
        cell.connections = std::move(pins);
    }

    void rename() {
        for (netlist::Port& port : opened_.ports)
            renameIn(port.bits);
        for (netlist::Net& net : opened_.nets)
            renameIn(net.bits);
        std::erase_if(opened_.cells, [&](const Cell& cell) {
            return isCombinational(cell) && renamed_.contains(cell["Y"][0]);
        });
        for (Cell& cell : opened_.cells) {
            for (auto& [pin, bits] : cell.connections)
                renameIn(bits);
        }
    }

    void renameIn(Bits& bits) {
        for (Bit& bit : bits) {
            std::size_t steps = 0;
            for (auto found = renamed_.find(bit); found != renamed_.end() && !isLoop_;
                 found = renamed_.find(bit)) {
                bit = found->second;
                isLoop_ = ++steps > kMostRenames;
            }
        }
    }

    const RegisterArray& array_;
    const ElementBits elements_;
    Module opened_;
    const CellDrivers drivers_;
    Bit next_;
    std::vector<Cell> added_;
    CellMaker maker_;
    bool isReversed_ = false;
    bool isLoop_ = false;
    std::map<std::pair<std::uint64_t, Bits>, Bits> calculated_;
    std::map<std::pair<Bits, std::uint64_t>, Bit> tests_;
    std::map<std::pair<Bit, Bit>, Bit> both_;
    std::unordered_map<Bit, Bit> renamed_;
};

}  // namespace

std::optional<Module> openArraySlices(const Module& module, const RegisterArray& array) {
    return SliceOpener(module, array).run();
}

}  // namespace smec::rtl
