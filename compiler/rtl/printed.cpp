#include "rtl/printed.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "rtl/cell_maker.h"

// A cell's FORMAT is text with places for its arguments, the first of which are its lowest bits:
//
//     {8:> 3d-u}   {8:>02h-u}   {8:> c}   {0:> 20t}
//
// So many bits: to the right (>), left (<) or with zeros behind the sign (=), filled up with blanks
// or zeros, to so many characters; digits of a base (b, o, d, h, H), characters (c, U) or the time (t,
// r); a sign (-, + or a blank) of unsigned (u) or signed (s) numbers.

namespace smec::rtl {
namespace {

using netlist::Bits;
using netlist::Cell;

struct Place {
    std::size_t size = 0;
    char side = '>';
    bool isFilledWithZeros = false;
    std::size_t width = 0;
    char kind = 'd';
    bool isSigned = false;
};

class FormatReader {
public:
    explicit FormatReader(const Cell& cell)
        : cell_(cell), text_(netlist::valueOf(cell.parameters, "FORMAT")) {
        // write_json puts a blank behind what else would be digits
        const bool isOfDigits = text_.find_first_not_of("01xz ") == std::string::npos;
        if (isOfDigits && text_.ends_with(' ')) text_.remove_suffix(1);
    }

    Printed read() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            const bool isTwice = at_ + 1 < text_.size() && text_[at_ + 1] == c;
            if (c == '{' && !isTwice) {
                ++at_;
                add(place());
                continue;
            }
            at_ += (c == '{' || c == '}') && isTwice ? 2 : 1;
            literal(c);
        }
        if (made_.format.ends_with('\n')) made_.format.pop_back();
        return std::move(made_);
    }

private:
    char next() {
        if (at_ == text_.size())
            throw Problem{"a $print whose FORMAT ends within a place for an argument",
                          cell_.attributes};
        return text_[at_++];
    }
    bool isNextDigit() const {
        return at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]));
    }
    std::size_t number() {
        std::size_t value = 0;
        while (isNextDigit())
            value = value * 10 + static_cast<std::size_t>(next() - '0');
        return value;
    }

    Place place() {
        Place found;
        found.size = number();
        next();  // :
        found.side = next();
        found.isFilledWithZeros = next() == '0' || found.side == '=';
        found.width = number();
        found.kind = next();
        for (char c = next(); c != '}'; c = next())
            found.isSigned = found.isSigned || c == 's';
        return found;
    }

    void literal(char c) {
        made_.format += c;
        if (c == '{' || c == '}') made_.format += c;
    }

    Bits take(std::size_t count) {
        const Bits bits = CellMaker::part(cell_["ARGS"], taken_, count);
        taken_ += count;
        return bits;
    }

    void argument(std::string_view format, Bits bits, bool isSigned = false) {
        made_.format += format;
        made_.arguments.push_back({std::move(bits), isSigned});
    }

    void add(const Place& place) {
        const Bits bits = take(place.size);
        const bool isPadded = place.width != 0 && place.side != '<';
        const std::string width =
            isPadded ? fmt::format("{}{}", place.isFilledWithZeros ? "0" : "", place.width) : "";
        const auto spec = [&](const char* base) { return fmt::format("{{:{}{}}}", width, base); };
        switch (place.kind) {
        case 't':
        case 'r': return argument(width.empty() ? "{}" : spec(""), {});
        case 'c':
        case 'U': return characters(place, bits);
        case 'o': return octal(bits);
        case 'b': return argument(spec("b"), bits);
        case 'd': return argument(width.empty() ? "{}" : spec("d"), bits, place.isSigned);
        default: return argument(spec("x"), bits);
        }
    }

    /// A digit for each three bits.
    void octal(const Bits& bits) {
        const std::size_t digits = (bits.size() + 2) / 3;
        for (std::size_t i = digits; i-- > 0;)
            argument("{}",
                     CellMaker::part(bits, 3 * i, std::min<std::size_t>(3, bits.size() - 3 * i)));
    }

    /// The first character is highest; those that are 0 are none. A text without bits is one that
    /// the reader lost.
    void characters(const Place& place, const Bits& bits) {
        if (bits.empty()) throw Problem{"its text (%s) is lost in reading", cell_.attributes};
        std::string text;
        for (std::size_t i = (bits.size() + 7) / 8; i-- > 0;) {
            unsigned code = 0;
            for (std::size_t k = std::min(bits.size(), 8 * i + 8); k-- > 8 * i;) {
                if (netlist::isNet(bits[k]))
                    throw Problem{"its characters (%s, %c) are no constants", cell_.attributes};
                code = code << 1 | (bits[k] == netlist::kOne ? 1U : 0U);
            }
            if (code != 0) text += static_cast<char>(code);
        }
        const std::string blanks(place.width - std::min(place.width, text.size()), ' ');
        text = place.side == '<' ? text + blanks : blanks + text;
        for (const char c : text)
            literal(c);
    }

    const Cell& cell_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t taken_ = 0;  ///< bits of arguments
    Printed made_;
};

/// Bits that registers of a module take as their clock.
std::unordered_set<netlist::Bit> clocksIn(const netlist::Module& module) {
    std::unordered_set<netlist::Bit> clocks;
    for (const Cell& cell : module.cells) {
        for (const char* pin : {"CLK", "WR_CLK"})
            clocks.insert(cell[pin].begin(), cell[pin].end());
    }
    return clocks;
}

/// The other edges are those of asynchronous resets, whose side of the block Yosys has taken away:
/// while they are on, the rest is not reached.
void keepClock(Cell& cell, const std::unordered_set<netlist::Bit>& clocks, CellMaker& maker) {
    const Bits triggers = cell["TRG"];
    if (triggers.size() < 2) return;
    const std::string edges(netlist::valueOf(cell.parameters, "TRG_POLARITY"));
    const auto isRising = [&](std::size_t at) {
        return at < edges.size() && edges[edges.size() - 1 - at] == '1';
    };
    const auto found =
        std::ranges::find_if(triggers, [&](netlist::Bit bit) { return clocks.contains(bit); });
    const auto clock =
        static_cast<std::size_t>(found == triggers.end() ? 0 : found - triggers.begin());
    maker.replace(cell);
    for (std::size_t i = 0; i < triggers.size(); ++i) {
        if (i == clock) continue;
        const netlist::Bit isOff = maker.as(triggers[i], !isRising(i));
        cell.connections["EN"] = maker.binary("$and", cell["EN"], {isOff}, 1);
    }
    cell.connections["TRG"] = {triggers[clock]};
    cell.parameters["TRG_POLARITY"] = isRising(clock) ? "1" : "0";
}

/// Why it prints nothing; nothing: it prints.
std::optional<Problem> whyNotPrinted(const Cell& cell) {
    if (cell["TRG"].empty()) return Problem{"it waits for no clock", cell.attributes};
    try {
        printedBy(cell);
    } catch (const Problem& problem) {
        return problem;
    }
    return std::nullopt;
}

}  // namespace

Printed printedBy(const Cell& cell) { return FormatReader(cell).read(); }

void sortByPriority(std::vector<const Cell*>& cells) {
    std::ranges::stable_sort(cells, std::greater(), [](const Cell* cell) {
        return static_cast<std::int32_t>(cell->number("PRIORITY"));
    });
}

std::vector<Problem> settleTriggers(netlist::Module& module) {
    std::vector<Problem> problems;
    const auto isTriggered = [](const Cell& cell) {
        return cell.type == "$print" || cell.type == "$check";
    };
    if (std::ranges::none_of(module.cells, isTriggered)) return problems;
    const std::unordered_set<netlist::Bit> clocks = clocksIn(module);
    std::vector<Cell> added;
    netlist::Bit next = firstFree(module);
    CellMaker maker(next, added);
    std::erase_if(module.cells, [&](Cell& cell) {
        if (!isTriggered(cell)) return false;
        keepClock(cell, clocks, maker);
        if (cell.type != "$print") return false;
        std::optional<Problem> problem = whyNotPrinted(cell);
        const bool isAtStart = cell["TRG"].empty() && cell.flag("TRG_ENABLE");
        if (problem && !isAtStart) problems.push_back(std::move(*problem));
        return problem.has_value();
    });
    std::ranges::move(added, std::back_inserter(module.cells));
    return problems;
}

}  // namespace smec::rtl
