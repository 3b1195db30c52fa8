#include "rtl/switches.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "rtl/cell_maker.h"
#include "rtl/tree.h"
#include "rtl/word_cases.h"

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

constexpr std::size_t kFewestInTable = 16;
constexpr std::size_t kMostInChain = 64;  // what chooses between fewer reads like the source
constexpr std::size_t kMostBits = 12;     // of a word that chooses by its value
constexpr std::size_t kSparse = 8;        // times as many values as are chosen by

/// A word that chooses, and what each of its values chooses; none: what is left.
struct Switch {
    Bits word;
    std::vector<std::optional<Bits>> chosen;
};

class SwitchSplitter {
public:
    explicit SwitchSplitter(netlist::Module& module)
        : module_(module), next_(firstFree(module)), maker_(next_, added_) {
        for (const Cell& cell : module.cells) {
            if (cell["Y"].empty() || !isTest(cell)) continue;
            tests_[cell["Y"][0]] = &cell;
        }
    }

    void run() {
        for (Cell& cell : module_.cells) {
            if (cell.type == "$pmux" && cell["S"].size() >= kFewestInTable) split(cell);
            if (isCase(cell)) readTables(cell);
        }
        std::erase_if(module_.cells, isCase);
        std::ranges::move(added_, std::back_inserter(module_.cells));
    }

private:
    static bool isTest(const Cell& cell) { return cell.type == "$eq" || cell.type == "$logic_not"; }

    /// What Yosys made of a `case` of constants: a memory without a name that nobody writes.
    static bool isCase(const Cell& cell) {
        return cell.type == "$mem_v2" && cell.number("WR_PORTS") == 0
               && netlist::valueOf(cell.parameters, "MEMID").starts_with('$')
               && cell.number("OFFSET") == 0 && cell.number("ABITS") <= kMostBits
               && cell.number("RD_CLK_ENABLE") == 0;
    }

    /// One for each that reads it.
    void readTables(const Cell& memory) {
        const std::size_t width = memory.number("WIDTH");
        const std::size_t addressBits = memory.number("ABITS");
        std::string digits(netlist::valueOf(memory.parameters, "INIT"));
        std::ranges::replace(digits, 'x', '0');
        const std::size_t all = width << addressBits;
        digits.insert(0, all > digits.size() ? all - digits.size() : 0, '0');
        for (std::size_t port = 0; port < memory.number("RD_PORTS"); ++port) {
            Cell& table = added_.emplace_back();
            table.name = fmt::format("{}_{}", memory.name, port);
            table.type = kTable;
            table.attributes = memory.attributes;
            table.parameters = {{"TABLE", digits}};
            table.connections = {
                {"A", CellMaker::part(memory["RD_ADDR"], port * addressBits, addressBits)},
                {"Y", CellMaker::part(memory["RD_DATA"], port * width, width)}};
        }
    }

    void split(Cell& cell) {
        const std::optional<Switch> found = switchOf(cell);
        if (found && makeTable(cell, *found)) return;
        if (cell["S"].size() <= kMostInChain) return;
        maker_.replace(cell);
        const Bits chosen = found ? treeOf(cell, *found, 0, found->word.size())
                                  : halvesOf(cell, 0, cell["S"].size());
        Bits own = cell["Y"];
        cell.parameters.clear();
        if (added_.empty() || added_.back()["Y"] != chosen) {
            cell.type = "$pos";
            cell.connections = {{"A", chosen}, {"Y", own}};
            return;
        }
        cell.type = added_.back().type;  // the last one made has its name
        cell.connections = std::move(added_.back().connections);
        cell.connections["Y"] = std::move(own);
        added_.pop_back();
    }

    static Bits wordOf(const Cell& cell, std::size_t number) {
        const std::size_t width = cell["Y"].size();
        return CellMaker::part(cell["B"], number * width, width);
    }

    std::optional<Switch> switchOf(const Cell& cell) const {
        Switch made;
        for (std::size_t i = 0; i < cell["S"].size(); ++i) {
            const auto test = tests_.find(cell["S"][i]);
            if (test == tests_.end()) return std::nullopt;
            const std::optional<WordCase> one = wordCaseOf(*test->second);
            if (!one || (i > 0 && one->word != made.word)) return std::nullopt;
            if (i == 0) {
                const std::size_t bits = one->word.size();
                const std::size_t most = kSparse * cell["S"].size();
                if (bits > kMostBits || std::size_t{1} << bits > most) return std::nullopt;
                made.word = one->word;
                made.chosen.resize(std::size_t{1} << bits);
            }
            if (one->isPossible) made.chosen[one->value] = wordOf(cell, i);
        }
        return made;
    }

    static bool isConstant(const Bits& bits) { return std::ranges::none_of(bits, netlist::isNet); }

    static bool makeTable(Cell& cell, const Switch& made) {
        std::string digits;  // the last word first
        for (std::size_t i = made.chosen.size(); i-- > 0;) {
            const Bits& word = made.chosen[i] ? *made.chosen[i] : cell["A"];
            if (!isConstant(word)) return false;
            for (auto bit = word.rbegin(); bit != word.rend(); ++bit)
                digits += *bit == netlist::kOne ? '1' : '0';
        }
        cell.type = kTable;
        cell.connections = {{"A", made.word}, {"Y", Bits(cell["Y"])}};
        cell.parameters = {{"TABLE", digits}};
        return true;
    }

    /// By the low `bits` of the word, for values from `first` on.
    Bits treeOf(const Cell& cell, const Switch& made, std::size_t first, std::size_t bits) {
        if (bits == 0) return made.chosen[first] ? *made.chosen[first] : cell["A"];
        const std::size_t half = std::size_t{1} << (bits - 1);
        const Bits low = treeOf(cell, made, first, bits - 1);
        const Bits high = treeOf(cell, made, first + half, bits - 1);
        return low == high ? low : maker_.choice(made.word[bits - 1], high, low);
    }

    /// Words [first, end), of which the last ones have what is left behind them.
    Bits halvesOf(const Cell& cell, std::size_t first, std::size_t end) {
        const std::size_t all = cell["S"].size();
        if (end - first == 1) {
            const Bits word = wordOf(cell, first);
            return end == all ? maker_.choice(cell["S"][first], word, cell["A"]) : word;
        }
        const std::size_t middle = first + (end - first) / 2;
        const Bits selects = CellMaker::part(cell["S"], first, middle - first);
        const Bit isLow = maker_.unary("$reduce_or", selects, 1)[0];
        const Bits low = halvesOf(cell, first, middle);
        return maker_.choice(isLow, low, halvesOf(cell, middle, end));
    }

    netlist::Module& module_;
    Bit next_;
    std::vector<Cell> added_;
    CellMaker maker_;
    std::unordered_map<Bit, const Cell*> tests_;  ///< of words for being constants
};

ast::ExprId wordsOf(Tree& tree, std::string_view digits, std::size_t width) {
    std::vector<ast::ExprId> words;
    for (std::size_t end = digits.size(); end > 0; end -= width) {
        ast::Integer word = 0;
        for (const char digit : digits.substr(end - width, width))
            word = word << 1 | (digit == '1' ? 1 : 0);
        words.push_back(width == 1 ? tree.boolean(word != 0) : tree.integer(word));
    }
    return tree.add(ast::ArrayLiteral{std::move(words)});
}

}  // namespace

void splitSwitches(netlist::Module& module) { SwitchSplitter(module).run(); }

void Tables::take(netlist::Module& module) {
    Tree tree(file_);
    for (Cell& cell : module.cells) {
        if (cell.type != kTable) continue;
        const std::size_t width = cell["Y"].size();
        const std::string digits(netlist::valueOf(cell.parameters, "TABLE"));
        std::string& name = known_[fmt::format("{} {}", width, digits)];
        if (name.empty()) {
            name = names_.take(module.name + "_table");
            ast::TypeExpr type = tree.array(std::size_t{1} << cell["A"].size(), Tree::word(width));
            file_.decls.push_back(Tree::declaration(ast::ConstDecl{
                Tree::identifier(name), std::move(type), wordsOf(tree, digits, width)}));
        }
        cell.parameters["NAME"] = name;
    }
}

}  // namespace smec::rtl
