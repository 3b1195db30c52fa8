#include "rtl/expand_arithmetic.h"

#include <algorithm>
#include <array>

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

bool areSigned(const Cell& cell) { return cell.flag("A_SIGNED") && cell.flag("B_SIGNED"); }

/// By squares: a^13 = a * a^4 * a^8. To a negative power 1 and -1 alone are not 0.
void power(const Cell& cell, CellMaker& maker) {
    const std::size_t width = cell["Y"].size();
    const bool isNegated = cell.flag("B_SIGNED");
    const std::size_t bits = cell["B"].size() - (isNegated ? 1 : 0);
    Bits square = CellMaker::resized(cell["A"], width, cell.flag("A_SIGNED"));
    Bits result = CellMaker::constant(width, 1);
    for (std::size_t i = 0; i < bits; ++i) {
        result = maker.choice(cell["B"][i], maker.binary("$mul", result, square, width), result);
        if (i + 1 < bits) square = maker.binary("$mul", square, square, width);
    }
    if (isNegated) {
        const Bits one = CellMaker::constant(width, 1);
        const Bits isOne = maker.binary("$eq", cell["A"], CellMaker::constant(2, 1), 1);
        Bits inverse = CellMaker::resized(isOne, width, false);
        if (cell.flag("A_SIGNED")) {
            const Bits isMinusOne = maker.unary("$reduce_and", cell["A"], 1);
            const Bits minusOne(width, netlist::kOne);
            inverse =
                maker.choice(isMinusOne[0], maker.choice(cell["B"][0], minusOne, one), inverse);
        }
        result = maker.choice(cell["B"].back(), inverse, result);
    }
    maker.drive(cell["Y"], result);
}

/// Whether what is rounded toward zero is not rounded down.
Bit differs(const Cell& cell, const Bits& remainder, CellMaker& maker) {
    const Bits signs = maker.binary("$xor", {cell["A"].back()}, {cell["B"].back()}, 1);
    return maker.binary("$and", signs, maker.unary("$reduce_bool", remainder, 1), 1)[0];
}

void divisionDown(const Cell& cell, CellMaker& maker) {
    const std::size_t width = std::max({cell["A"].size(), cell["B"].size(), cell["Y"].size()}) + 1;
    const bool isSigned = areSigned(cell);
    Bits quotient = maker.binary("$div", cell["A"], cell["B"], width, isSigned);
    if (isSigned) {
        const Bits remainder = maker.binary("$mod", cell["A"], cell["B"], width, true);
        const Bits one{differs(cell, remainder, maker)};
        quotient = maker.binary("$sub", quotient, CellMaker::resized(one, width, false), width);
    }
    maker.drive(cell["Y"], CellMaker::resized(quotient, cell["Y"].size(), false));
}

void remainderDown(const Cell& cell, CellMaker& maker) {
    const std::size_t width = std::max({cell["A"].size(), cell["B"].size(), cell["Y"].size()});
    const bool isSigned = areSigned(cell);
    Bits remainder = maker.binary("$mod", cell["A"], cell["B"], width, isSigned);
    if (isSigned) {
        const Bits divisor = CellMaker::resized(cell["B"], width, true);
        remainder = maker.choice(differs(cell, remainder, maker),
                                 maker.binary("$add", remainder, divisor, width), remainder);
    }
    maker.drive(cell["Y"], CellMaker::resized(remainder, cell["Y"].size(), false));
}

/// TABLE has two bits for each input of each product: it has to be 0, it has to be 1.
void sumOfProducts(const Cell& cell, CellMaker& maker) {
    const std::string_view table = netlist::valueOf(cell.parameters, "TABLE");
    const Bits& inputs = cell["A"];
    const Bits inverted = maker.unary("$not", inputs, inputs.size());
    const auto isWanted = [&](std::size_t at) {
        return at < table.size() && table[table.size() - 1 - at] == '1';
    };
    Bits products;
    for (std::size_t i = 0; i < cell.number("DEPTH"); ++i) {
        Bits factors;
        for (std::size_t j = 0; j < inputs.size(); ++j) {
            const std::size_t at = 2 * (inputs.size() * i + j);
            if (isWanted(at)) factors.push_back(inverted[j]);
            if (isWanted(at + 1)) factors.push_back(inputs[j]);
        }
        products.push_back(factors.empty() ? netlist::kOne
                                           : maker.unary("$reduce_and", factors, 1)[0]);
    }
    if (products.empty()) products.push_back(netlist::kZero);
    maker.drive(cell["Y"], maker.unary("$reduce_or", products, 1));
}

/// Y = A + B or, with BI, A + ~B, + CI; CO are the carries.
void adder(const Cell& cell, CellMaker& maker) {
    const std::size_t width = cell["Y"].size();
    const Bits a = CellMaker::resized(cell["A"], width, areSigned(cell));
    const Bits plain = CellMaker::resized(cell["B"], width, areSigned(cell));
    const Bits b = maker.choice(cell["BI"][0], maker.unary("$not", plain, width), plain);
    const Bits both = maker.binary("$add", a, b, width);
    const Bits sum =
        maker.binary("$add", both, CellMaker::resized(cell["CI"], width, false), width);
    maker.drive(cell["Y"], sum);
    if (!cell["X"].empty()) maker.drive(cell["X"], maker.binary("$xor", a, b, width));
    if (cell["CO"].empty()) return;
    const Bits either = maker.binary("$or", a, b, width);
    const Bits passed = maker.binary("$and", either, maker.unary("$not", sum, width), width);
    maker.drive(cell["CO"], maker.binary("$or", maker.binary("$and", a, b, width), passed, width));
}

/// Three bits become two.
void fullAdder(const Cell& cell, CellMaker& maker) {
    const std::size_t width = cell["Y"].size();
    const Bits differ = maker.binary("$xor", cell["A"], cell["B"], width);
    maker.drive(cell["Y"], maker.binary("$xor", differ, cell["C"], width));
    const Bits both = maker.binary("$and", cell["A"], cell["B"], width);
    const Bits passed = maker.binary("$and", differ, cell["C"], width);
    maker.drive(cell["X"], maker.binary("$or", both, passed, width));
}

void carries(const Cell& cell, CellMaker& maker) {
    Bits carry = cell["CI"];
    Bits all;
    for (std::size_t i = 0; i < cell["P"].size(); ++i) {
        const Bits passed = maker.binary("$and", {cell["P"][i]}, carry, 1);
        carry = maker.binary("$or", {cell["G"][i]}, passed, 1);
        all.push_back(carry[0]);
    }
    maker.drive(cell["CO"], all);
}

void slice(const Cell& cell, CellMaker& maker) {
    const auto first = cell["A"].begin() + static_cast<std::ptrdiff_t>(cell.number("OFFSET"));
    maker.drive(cell["Y"], {first, first + static_cast<std::ptrdiff_t>(cell["Y"].size())});
}

void concatenation(const Cell& cell, CellMaker& maker) {
    Bits all = cell["A"];
    all.insert(all.end(), cell["B"].begin(), cell["B"].end());
    maker.drive(cell["Y"], all);
}

void copy(const Cell& cell, CellMaker& maker) { maker.drive(cell["Y"], cell["A"]); }

/// x in Yosys' models, for proofs: any value does.
void anything(const Cell& cell, CellMaker& maker) {
    maker.drive(cell["Y"], CellMaker::constant(cell["Y"].size(), 0));
}

void choiceByBit(const Cell& cell, CellMaker& maker) {
    const std::size_t width = cell["Y"].size();
    const Bits no = maker.binary("$and", cell["A"], maker.unary("$not", cell["S"], width), width);
    maker.drive(cell["Y"],
                maker.binary("$or", no, maker.binary("$and", cell["B"], cell["S"], width), width));
}

void sameBits(const Cell& cell, CellMaker& maker) {
    maker.drive(cell["Y"], maker.binary("$xnor", cell["A"], cell["B"], cell["Y"].size()));
}

/// ~(A & B | C), ~((A | B) & C), and with D beside C
void twoLevels(const Cell& cell, CellMaker& maker) {
    const bool isAndFirst = cell.type[3] == 'O' && cell.type[2] == 'A';  // "$_AOI3_"
    const std::string_view first = isAndFirst ? "$and" : "$or";
    const std::string_view second = isAndFirst ? "$or" : "$and";
    const Bits left = maker.binary(first, cell["A"], cell["B"], 1);
    const Bits right = cell["D"].empty() ? cell["C"] : maker.binary(first, cell["C"], cell["D"], 1);
    maker.drive(cell["Y"], maker.unary("$not", maker.binary(second, left, right, 1), 1));
}

/// $_MUX4_, $_MUX8_, $_MUX16_: A to P by S, T, U, V, the lowest bit first.
void wideChoice(const Cell& cell, CellMaker& maker) {
    std::vector<Bits> values;
    for (const char input : std::string_view("ABCDEFGHIJKLMNOP")) {
        const Bits& bits = cell[std::string_view(&input, 1)];
        if (bits.empty()) break;
        values.push_back(bits);
    }
    for (const char select : std::string_view("STUV")) {
        if (values.size() == 1) break;
        const Bit condition = cell[std::string_view(&select, 1)][0];
        std::vector<Bits> chosen;
        for (std::size_t i = 0; i + 1 < values.size(); i += 2)
            chosen.push_back(maker.choice(condition, values[i + 1], values[i]));
        values = std::move(chosen);
    }
    maker.drive(cell["Y"], values[0]);
}

struct Expansion {
    std::string_view type;
    void (*expand)(const Cell&, CellMaker&);
};
constexpr std::array kExpansions = std::to_array<Expansion>({
    {"$pow", power},
    {"$divfloor", divisionDown},
    {"$modfloor", remainderDown},
    {"$sop", sumOfProducts},
    {"$alu", adder},
    {"$fa", fullAdder},
    {"$lcu", carries},
    {"$slice", slice},
    {"$concat", concatenation},
    {"$buf", copy},
    {"$barrier", copy},
    {"$equiv", copy},
    {"$original_tag", copy},
    {"$set_tag", copy},
    {"$future_ff", copy},
    {"$get_tag", anything},
    {"$anyconst", anything},
    {"$anyseq", anything},
    {"$allconst", anything},
    {"$allseq", anything},
    {"$bwmux", choiceByBit},
    {"$bweqx", sameBits},
    {"$_AOI3_", twoLevels},
    {"$_OAI3_", twoLevels},
    {"$_AOI4_", twoLevels},
    {"$_OAI4_", twoLevels},
    {"$_MUX4_", wideChoice},
    {"$_MUX8_", wideChoice},
    {"$_MUX16_", wideChoice},
});

}  // namespace

bool expandArithmetic(const netlist::Cell& cell, CellMaker& maker) {
    const auto found = std::ranges::find(kExpansions, cell.type, &Expansion::type);
    if (found == kExpansions.end()) return false;
    found->expand(cell, maker);
    return true;
}

}  // namespace smec::rtl
