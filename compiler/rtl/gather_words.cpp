#include "rtl/gather_words.h"

#include <algorithm>
#include <map>

#include "rtl/cell_maker.h"

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

constexpr std::size_t kFewest = 8;  // bits that are worth a word

// ---------------------------------------------------------------- tables

/// y[i] = table[{b[i], a[i]}]: a bit of A that a short B chooses.
bool isLookUp(const Cell& cell) {
    const bool isShift = cell.type == "$shiftx" || cell.type == "$shr";
    const std::size_t bits = cell["B"].size();
    return isShift && cell["Y"].size() == 1 && (bits == 1 || bits == 2) && !cell.flag("B_SIGNED")
           && cell["A"].size() == std::size_t{1} << bits;
}

/// Ones where B is `index`.
Bits whereIndex(const std::vector<Cell>& cells, std::size_t index, CellMaker& maker) {
    Bits all;
    for (std::size_t k = 0; k < cells[0]["B"].size(); ++k) {
        Bits word;
        for (const Cell& cell : cells)
            word.push_back(cell["B"][k]);
        if ((index >> k & 1U) == 0) word = maker.unary("$not", word, word.size());
        all = all.empty() ? word : maker.binary("$and", all, word, word.size());
    }
    return all;
}

/// (t[0] & ~b & ~a) | (t[1] & ~b & a) | …, each bit of the table in all places.
void lookUpWord(const std::vector<Cell>& cells, CellMaker& maker) {
    maker.replace(cells[0]);
    Bits result, any;
    for (const Cell& cell : cells)
        result.push_back(cell["Y"][0]);
    for (std::size_t i = 0; i < cells[0]["A"].size(); ++i) {
        const Bits entry(cells.size(), cells[0]["A"][i]);
        const Bits chosen = maker.binary("$and", entry, whereIndex(cells, i, maker), cells.size());
        any = any.empty() ? chosen : maker.binary("$or", any, chosen, cells.size());
    }
    maker.drive(result, any);
}

void gatherTables(std::vector<Cell>& cells, CellMaker& maker) {
    std::map<Bits, std::vector<Cell>> byTable;
    for (const Cell& cell : cells) {
        if (isLookUp(cell)) byTable[cell["A"]].push_back(cell);
    }
    std::erase_if(byTable, [](const auto& entry) { return entry.second.size() < kFewest; });
    if (byTable.empty()) return;
    std::erase_if(cells,
                  [&](const Cell& cell) { return isLookUp(cell) && byTable.contains(cell["A"]); });
    for (auto& [table, users] : byTable) {
        std::ranges::sort(users, {}, [](const Cell& cell) { return cell["B"]; });
        lookUpWord(users, maker);
    }
}

// ---------------------------------------------------------------- reversed words

/// Neighbouring groups of `size` bits change places: ((x & mask) << size) | ((x >> size) & mask).
Bits swapped(const Bits& x, std::size_t size, CellMaker& maker) {
    Bits mask, left(size, netlist::kZero),
        right(x.begin() + static_cast<std::ptrdiff_t>(size), x.end());
    for (std::size_t i = 0; i < x.size(); ++i)
        mask.push_back((i / size) % 2 == 0 ? netlist::kOne : netlist::kZero);
    const Bits low = maker.binary("$and", x, mask, x.size());
    left.insert(left.end(), low.begin(), low.end() - static_cast<std::ptrdiff_t>(size));
    right.resize(x.size(), netlist::kZero);
    return maker.binary("$or", left, maker.binary("$and", right, mask, x.size()), x.size());
}

/// Bytes by wiring, what is in them by masks.
Bits reversed(const Bits& x, CellMaker& maker) {
    Bits word = x;
    for (const std::size_t size : {1U, 2U, 4U})
        word = swapped(word, size, maker);
    Bits result;
    for (std::size_t byte = word.size() / 8; byte-- > 0;)
        result.insert(result.end(), word.begin() + static_cast<std::ptrdiff_t>(8 * byte),
                      word.begin() + static_cast<std::ptrdiff_t>(8 * byte + 8));
    return result;
}

class Reversals {
public:
    explicit Reversals(CellMaker& maker) : maker_(maker) {}

    void replaceIn(Bits& bits) {
        for (std::size_t i = 0; i < bits.size();) {
            std::size_t end = i + 1;
            while (end < bits.size() && netlist::isNet(bits[end]) && bits[end] + 1 == bits[end - 1])
                ++end;
            const std::size_t count = (end - i) / kFewest * kFewest;
            if (count > 0) {
                const Bits& word = of(bits[i], count);
                std::ranges::copy(word, bits.begin() + static_cast<std::ptrdiff_t>(i));
            }
            i = end;
        }
    }

private:
    /// Bits first, first - 1, …
    const Bits& of(Bit first, std::size_t count) {
        Bits& known = known_[{first, count}];
        if (!known.empty()) return known;
        Bits x;
        for (std::size_t i = count; i-- > 0;)
            x.push_back(first - static_cast<Bit>(i));
        return known = reversed(x, maker_);
    }

    CellMaker& maker_;
    std::map<std::pair<Bit, std::size_t>, Bits> known_;
};

bool isRead(std::string_view port) { return port != "Y" && port != "Q" && port != "RD_DATA"; }

void gatherReversed(std::vector<Cell>& cells, CellMaker& maker) {
    Reversals reversals(maker);
    for (Cell& cell : cells) {
        if (cell.type != "$mux" && cell.type != "$shr" && cell.type != "$sshr"
            && cell.type != "$shl" && cell.type != "$dff")
            continue;
        maker.replace(cell);
        for (auto& [port, bits] : cell.connections) {
            if (isRead(port)) reversals.replaceIn(bits);
        }
    }
}

}  // namespace

void gatherWords(netlist::Module& module) {
    Bit next = firstFree(module);
    std::vector<Cell> added;
    CellMaker maker(next, added);
    gatherTables(module.cells, maker);
    gatherReversed(module.cells, maker);
    std::ranges::move(added, std::back_inserter(module.cells));
}

}  // namespace smec::rtl
