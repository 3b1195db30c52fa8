#include "rtl/array_writes.h"

#include <algorithm>

#include "rtl/word_cases.h"

//     next[i] = reset ? 0 : write & (address == i) ? data : r[i]
//
// becomes { write: r[address] = data }, { reset: r[…] = 0 }

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

constexpr std::size_t kMostSteps = 400;   // of taking apart, until there is no hope
constexpr std::size_t kMostSelects = 64;  // of a multiplexer of several words

bool areSame(const std::vector<Bits>& lanes) {
    return std::ranges::all_of(lanes, [&](const Bits& lane) { return lane == lanes[0]; });
}

std::vector<Bits> partOf(const std::vector<Bits>& lanes, std::size_t low, std::size_t width) {
    std::vector<Bits> part;
    part.reserve(lanes.size());
    for (const Bits& lane : lanes)
        part.push_back(CellMaker::part(lane, low, width));
    return part;
}

}  // namespace

bool isCombinational(const Cell& cell) {
    // modules with parameters have such names, too
    return cell.type.starts_with('$') && !cell.type.starts_with("$paramod") && !cell["Y"].empty();
}

CellDrivers::CellDrivers(const netlist::Module& module) {
    for (const Cell& cell : module.cells) {
        if (isCombinational(cell)) add(cell);
    }
}

void CellDrivers::add(const Cell& cell) {
    const Bits& bits = cell["Y"];
    for (std::size_t i = 0; i < bits.size(); ++i)
        drivers_[bits[i]] = {&cell, i};
}

CellBit CellDrivers::of(Bit bit) const {
    const auto found = drivers_.find(bit);
    return found == drivers_.end() ? CellBit() : found->second;
}

ArrayWrites::ArrayWrites(const RegisterArray& array, const CellDrivers& drivers, Bit& next,
                         std::vector<Cell>& made)
    : array_(array), drivers_(drivers), maker_(next, made) {
    maker_.replace(*array.registers[0]);
}

std::optional<std::vector<ArrayWrite>> ArrayWrites::find() {
    Lanes next, now;
    for (const Cell* cell : array_.registers) {
        next.push_back((*cell)["D"]);
        now.push_back((*cell)["Q"]);
    }
    if (!over(next, now, netlist::kOne, 0)) return std::nullopt;
    return std::move(writes_);
}

/// Writes that make `lanes` of what is `base` before them.
bool ArrayWrites::over(const Lanes& lanes, const Lanes& base, Bit enable, std::size_t low) {
    if (lanes == base) return true;
    if (++steps_ > kMostSteps) return false;
    if (areSame(lanes)) {
        writes_.push_back({enable, {}, lanes[0], low});
        return true;
    }
    if (const std::vector<Piece> pieces = piecesOf(lanes, base); pieces.size() > 1)
        return byPieces(pieces, lanes, base, enable, low);
    const std::optional<Choice> choice = choiceOf(lanes);
    if (!choice) return false;
    const Condition& on = choice->condition;
    if (on.word.empty()) return overEither(*choice, base, enable, low);
    return over(choice->no, base, enable, low)
           && atWord(choice->yes, choice->no, both(enable, on.bit), on.word, low);
}

bool ArrayWrites::byPieces(const std::vector<Piece>& pieces, const Lanes& lanes, const Lanes& base,
                           Bit enable, std::size_t low) {
    return std::ranges::all_of(pieces, [&](const Piece& piece) {
        return over(partOf(lanes, piece.low, piece.width), partOf(base, piece.low, piece.width),
                    enable, low + piece.low);
    });
}

/// What is chosen is often the other one with more written to it.
bool ArrayWrites::overEither(const Choice& choice, const Lanes& base, Bit enable, std::size_t low) {
    const Bit on = both(enable, choice.condition.bit);
    const std::size_t before = writes_.size();
    if (over(choice.no, base, enable, low) && over(choice.yes, choice.no, on, low)) return true;
    writes_.resize(before);
    return over(choice.no, base, both(enable, inverse(choice.condition.bit)), low)
           && over(choice.yes, base, on, low);
}

/// One word becomes what `lanes` are: the same in all of them, for any may be that word.
bool ArrayWrites::atWord(const Lanes& lanes, const Lanes& base, Bit enable, const Bits& word,
                         std::size_t low) {
    if (lanes == base) return true;
    if (++steps_ > kMostSteps) return false;
    if (areSame(lanes)) {
        writes_.push_back({enable, word, lanes[0], low});
        return true;
    }
    if (const std::vector<Piece> pieces = piecesOf(lanes, base); pieces.size() > 1) {
        return std::ranges::all_of(pieces, [&](const Piece& piece) {
            return atWord(partOf(lanes, piece.low, piece.width),
                          partOf(base, piece.low, piece.width), enable, word, low + piece.low);
        });
    }
    const std::optional<Choice> choice = choiceOf(lanes);
    if (!choice || !choice->condition.word.empty()) return false;
    const Bit on = choice->condition.bit;
    return atWord(choice->no, base, both(enable, inverse(on)), word, low)
           && atWord(choice->yes, base, both(enable, on), word, low);
}

/// Neighbouring bits that stay, that one cell computes, or that none does, in the first lane.
std::vector<ArrayWrites::Piece> ArrayWrites::piecesOf(const Lanes& lanes, const Lanes& base) const {
    std::vector<Piece> pieces;
    std::pair<bool, const Cell*> last;
    for (std::size_t i = 0; i < lanes[0].size(); ++i) {
        const bool stays = lanes[0][i] == base[0][i];
        const std::pair kind(stays, stays ? nullptr : driverOf(lanes[0][i]).cell);
        if (pieces.empty() || kind != last) pieces.push_back({i, 0});
        ++pieces.back().width;
        last = kind;
    }
    return pieces;
}

std::optional<ArrayWrites::Choice> ArrayWrites::choiceOf(const Lanes& lanes) {
    Choice made;
    Bits selects;
    for (const Bits& lane : lanes) {
        CellBit driver = driverOf(lane[0]);
        if (!driver.cell) return std::nullopt;
        const Bits driven = CellMaker::part((*driver.cell)["Y"], driver.offset, lane.size());
        if (driven != lane) return std::nullopt;
        const Cell& cell = asMultiplexers(*driver.cell);
        if (cell.type != "$mux") return std::nullopt;
        selects.push_back(cell["S"][0]);
        made.yes.push_back(CellMaker::part(cell["B"], driver.offset, lane.size()));
        made.no.push_back(CellMaker::part(cell["A"], driver.offset, lane.size()));
    }
    std::optional<Condition> condition = conditionOf(selects);
    if (!condition) return std::nullopt;
    made.condition = std::move(*condition);
    return made;
}

std::optional<ArrayWrites::Condition> ArrayWrites::conditionOf(const Bits& selects) const {
    if (std::ranges::all_of(selects, [&](Bit bit) { return bit == selects[0]; }))
        return Condition{selects[0], {}};
    if (std::optional<Bits> word = wordOf(selects)) return Condition{netlist::kOne, *word};
    for (const auto& [common, other] : {std::pair("A", "B"), std::pair("B", "A")}) {
        Bits bits, others;
        for (const Bit select : selects) {
            const Cell* cell = driverOf(select).cell;
            if (!cell || (cell->type != "$and" && cell->type != "$logic_and")) return std::nullopt;
            if ((*cell)["A"].size() != 1 || (*cell)["B"].size() != 1) return std::nullopt;
            bits.push_back((*cell)[common][0]);
            others.push_back((*cell)[other][0]);
        }
        if (std::ranges::any_of(bits, [&](Bit bit) { return bit != bits[0]; })) continue;
        if (std::optional<Bits> word = wordOf(others)) return Condition{bits[0], *word};
    }
    return std::nullopt;
}

/// The word that says in which lane a bit is on.
std::optional<Bits> ArrayWrites::wordOf(const Bits& selects) const {
    Bits word;
    for (std::size_t i = 0; i < selects.size(); ++i) {
        const CellBit driver = driverOf(selects[i]);
        if (!driver.cell || driver.offset != 0) return std::nullopt;
        const std::optional<WordCase> one = wordCaseOf(*driver.cell);
        if (!one || !one->isPossible || one->value != array_.first + i) return std::nullopt;
        if (i > 0 && one->word != word) return std::nullopt;
        word = one->word;
    }
    return word;
}

/// A multiplexer of several words as one of two, behind which others stand; any other cell itself.
const Cell& ArrayWrites::asMultiplexers(const Cell& cell) {
    if (cell.type != "$pmux" || cell["S"].size() > kMostSelects) return cell;
    const Cell*& last = lastOpened_[&cell];
    if (last) return *last;
    const std::size_t width = cell["Y"].size();
    Bits otherwise = cell["A"];
    for (std::size_t i = cell["S"].size(); i-- > 0;) {
        const Bits chosen = maker_.fresh(width);
        Cell& made = opened_.emplace_back();
        made.type = "$mux";
        made.connections = {{"A", otherwise},
                            {"B", CellMaker::part(cell["B"], i * width, width)},
                            {"S", {cell["S"][i]}},
                            {"Y", chosen}};
        ofOpened_.add(made);
        last = &made;
        otherwise = chosen;
    }
    return *last;
}

CellBit ArrayWrites::driverOf(Bit bit) const {
    const CellBit own = drivers_.of(bit);
    return own.cell ? own : ofOpened_.of(bit);
}

Bit ArrayWrites::both(Bit one, Bit other) {
    if (one == netlist::kOne) return other;
    if (other == netlist::kOne) return one;
    const auto [found, isNew] = both_.try_emplace({one, other});
    if (isNew) found->second = maker_.binary("$and", {one}, {other}, 1)[0];
    return found->second;
}

Bit ArrayWrites::inverse(Bit bit) {
    const auto [found, isNew] = inverse_.try_emplace(bit);
    if (isNew) found->second = maker_.as(bit, false);
    return found->second;
}

}  // namespace smec::rtl
