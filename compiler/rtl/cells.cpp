#include "rtl/cells.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "rtl/switches.h"

namespace smec::rtl {

using Op = ast::BinaryOp;
using netlist::Bits;
using netlist::Cell;

/// Which member makes which cell. Those of several kinds get the operator or function as well.
struct CellTable {
    using Plain = Term (Cells::*)(const Cell&);
    using WithOp = Term (Cells::*)(Op, const Cell&);
    struct Row {
        std::string_view type;
        Plain plain = nullptr;
        WithOp withOp = nullptr;
        Op op = Op::Add;
        std::string_view function;
    };
    static constexpr Row of(std::string_view type, Plain plain) {
        return {type, plain, nullptr, Op::Add, {}};
    }
    static constexpr Row of(std::string_view type, WithOp withOp, Op op) {
        return {type, nullptr, withOp, op, {}};
    }
    static constexpr Row reduces(std::string_view type, std::string_view function) {
        return {type, nullptr, nullptr, Op::Add, function};
    }
    static const Row* find(std::string_view type) {
        static constexpr std::array kRows = std::to_array<Row>({
            of("$add", &Cells::arithmetic, Op::Add),
            of("$sub", &Cells::arithmetic, Op::Sub),
            of("$mul", &Cells::arithmetic, Op::Mul),
            of("$div", &Cells::division, Op::Div),
            of("$mod", &Cells::division, Op::Mod),
            of("$and", &Cells::bitwise, Op::And),
            of("$or", &Cells::bitwise, Op::Or),
            of("$xor", &Cells::bitwise, Op::Xor),
            of("$xnor", &Cells::inverted),
            of("$not", &Cells::inverted),
            of("$pos", &Cells::copied),
            of("$neg", &Cells::negative),
            of("$lt", &Cells::comparison, Op::Lt),
            of("$le", &Cells::comparison, Op::Le),
            of("$gt", &Cells::comparison, Op::Gt),
            of("$ge", &Cells::comparison, Op::Ge),
            of("$eq", &Cells::comparison, Op::Eq),
            of("$ne", &Cells::comparison, Op::Ne),
            of("$eqx", &Cells::exactComparison, Op::Eq),
            of("$nex", &Cells::exactComparison, Op::Ne),
            reduces("$reduce_and", "all"),
            reduces("$reduce_or", "any"),
            reduces("$reduce_bool", "any"),
            reduces("$reduce_xor", "parity"),
            reduces("$reduce_xnor", "!parity"),
            reduces("$logic_not", "!any"),
            of("$logic_and", &Cells::logical, Op::And),
            of("$logic_or", &Cells::logical, Op::Or),
            of("$shl", &Cells::shiftLeft),
            of("$sshl", &Cells::shiftLeft),
            of("$shr", &Cells::shiftRight),
            of("$sshr", &Cells::shiftArithmetic),
            of("$shift", &Cells::shiftBoth),
            of("$shiftx", &Cells::shiftBoth),
            of("$mux", &Cells::multiplexer),
            of("$pmux", &Cells::parallelMultiplexer),
            of("$bmux", &Cells::binaryMultiplexer),
            of("$demux", &Cells::demultiplexer),
            of("$element", &Cells::element),
            of("$lut", &Cells::lookUp),
            of(kTable, &Cells::table),
            of("$_BUF_", &Cells::gate),
            of("$_NOT_", &Cells::gate),
            of("$_AND_", &Cells::gate),
            of("$_NAND_", &Cells::gate),
            of("$_OR_", &Cells::gate),
            of("$_NOR_", &Cells::gate),
            of("$_XOR_", &Cells::gate),
            of("$_XNOR_", &Cells::gate),
            of("$_ANDNOT_", &Cells::gate),
            of("$_ORNOT_", &Cells::gate),
            of("$_MUX_", &Cells::gate),
            of("$_NMUX_", &Cells::gate),
        });
        const auto row = std::ranges::find(kRows, type, &Row::type);
        return row == kRows.end() ? nullptr : &*row;
    }
};

std::string triState(const std::string& name) {
    return fmt::format(
        "a tri-state (z){}; a bit is 0 or 1 here, so choose between its drivers, as in "
        "'enable ? a : b', in place of an assignment for each",
        name.empty() ? "" : fmt::format(" of '{}'", name));
}

bool computes(const Cell& cell) { return CellTable::find(cell.type) != nullptr; }

namespace {

bool isLatch(std::string_view type) {
    return type.find("latch") != type.npos || type.find("LATCH") != type.npos || type == "$sr"
           || type.starts_with("$_SR_");
}

}  // namespace

std::string whyNotAtEdge(const Cell& cell, const std::string& name) {
    if (!isLatch(cell.type)) return {};
    return fmt::format(
        "a register{} that its asynchronous reset alone sets, which is a latch; at the "
        "clock's edge it keeps its value, so let it be reset there: take the reset "
        "out of the list of '@(...)'",
        name.empty() ? "" : fmt::format(", '{}',", name));
}

std::string whyNot(const Cell& cell, const std::string& name) {
    const std::string_view type = cell.type;
    if (isLatch(type))
        return fmt::format(
            "a latch{}: a path through its always block, or an index that chooses the bits "
            "to write, leaves it what it was, which takes a clock here; give it a "
            "value at the beginning of the block",
            name.empty() ? "" : fmt::format(" of '{}'", name));
    if (type == "$tribuf" || type == "$_TBUF_") return triState(name);
    if (!type.starts_with('$'))
        return fmt::format("an instance of '{}', which has no body in these files", type);
    return fmt::format("a cell of type '{}', which is not known here", type);
}

Term Cells::make(const Cell& cell) {
    const CellTable::Row& row = *CellTable::find(cell.type);
    if (row.plain) return (this->*row.plain)(cell);
    if (row.withOp) return (this->*row.withOp)(row.op, cell);
    return reduction(row.function, cell);
}

std::uint32_t Cells::widthOf(const Cell& cell) const {
    return static_cast<std::uint32_t>(cell["Y"].size());
}

bool Cells::isSigned(const Cell& cell) const {
    return cell.flag("A_SIGNED") && (cell["B"].empty() || cell.flag("B_SIGNED"));
}

Term Cells::side(const Cell& cell, std::string_view port) {
    const Term term = terms_.number(read_(cell[port]));
    return isSigned(cell) ? terms_.asSigned(term, static_cast<std::uint32_t>(cell[port].size()))
                          : term;
}

Term Cells::extended(const Cell& cell, std::string_view port, std::uint32_t width) {
    const auto own = static_cast<std::uint32_t>(cell[port].size());
    const Term term = terms_.number(read_(cell[port]));
    if (!isSigned(cell) || own >= width) return term;
    return terms_.sized(terms_.asSigned(term, own), width);
}

Term Cells::arithmetic(Op op, const Cell& cell) {
    return terms_.binary(op, side(cell, "A"), side(cell, "B"));
}

Term Cells::bitwise(Op op, const Cell& cell) {
    if (widthOf(cell) == 1 && cell["A"].size() == 1 && cell["B"].size() == 1)
        return terms_.boolean(op, a(cell), b(cell));
    return terms_.binary(op, extended(cell, "A", widthOf(cell)),
                         extended(cell, "B", widthOf(cell)));
}

/// By zero it is x in Verilog.
Term Cells::division(Op op, const Cell& cell) {
    const Term divisor = side(cell, "B");
    const Term plain = terms_.number(b(cell));
    if (plain.isLiteral && plain.value == 0) return terms_.constant(0, widthOf(cell));
    const Term result = terms_.binary(op, side(cell, "A"), divisor);
    if (plain.isLiteral) return result;
    const Term isZero = terms_.boolean(Op::Eq, plain, terms_.constant(0, 2));
    Term chosen = terms_.conditional(isZero, terms_.constant(0, 2), result, 2);
    chosen.isExact = false;
    return chosen;
}

Term Cells::comparison(Op op, const Cell& cell) {
    const bool areBools = cell["A"].size() == 1 && cell["B"].size() == 1 && !isSigned(cell)
                          && (op == Op::Eq || op == Op::Ne);
    if (areBools) return terms_.boolean(op, a(cell), b(cell));
    return terms_.boolean(op, side(cell, "A"), side(cell, "B"));
}

/// === and !==: a bit that is written as x or z is equal to the same one alone, and no net is x.
Term Cells::exactComparison(Op op, const Cell& cell) {
    const Bits &left = cell["A"], &right = cell["B"];
    const auto bitOf = [&](const Bits& bits, std::size_t i) {
        if (i < bits.size()) return bits[i];
        return isSigned(cell) && !bits.empty() ? bits.back() : netlist::kZero;
    };
    const auto isUnknown = [](netlist::Bit bit) {
        return bit == netlist::kUnknown || bit == netlist::kHighImpedance;
    };
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
        const netlist::Bit a = bitOf(left, i), b = bitOf(right, i);
        if (a != b && (isUnknown(a) || isUnknown(b))) return terms_.constant(op == Op::Ne, 1);
    }
    return comparison(op, cell);
}

/// $not and $xnor
Term Cells::inverted(const Cell& cell) {
    const std::uint32_t width = widthOf(cell);
    const bool isXnor = cell.type == "$xnor";
    if (width == 1 && cell["A"].size() == 1 && (!isXnor || cell["B"].size() == 1))
        return isXnor ? terms_.boolean(Op::Eq, a(cell), b(cell)) : terms_.negated(a(cell));
    Term term = extended(cell, "A", width);
    if (isXnor) term = terms_.binary(Op::Xor, term, extended(cell, "B", width));
    Term made = terms_.sized(term, width);
    made.id = terms_.tree().unary(ast::UnaryOp::Complement, terms_.operand(made));
    return made;
}

Term Cells::negative(const Cell& cell) {
    Term term = side(cell, "A");
    term.id = terms_.tree().unary(ast::UnaryOp::Minus, terms_.operand(term));
    term.isSigned = term.isSigned || term.isLiteral;
    term.isExact = term.isLiteral = false;
    return term;
}

Term Cells::copied(const Cell& cell) {
    if (widthOf(cell) == 1 && cell["A"].size() == 1) return a(cell);
    return extended(cell, "A", widthOf(cell));
}

Term Cells::reduction(std::string_view function, const Cell& cell) {
    const bool isNegated = function.starts_with('!');
    const Term operand = a(cell);
    Term term = operand;
    if (!operand.isBool) {
        if (function == "any" || function == "!any")
            return terms_.boolean(isNegated ? Op::Eq : Op::Ne, operand, terms_.constant(0, 2));
        term = terms_.test(function.substr(isNegated ? 1 : 0),
                           terms_.sized(operand, static_cast<std::uint32_t>(cell["A"].size())));
    }
    return isNegated ? terms_.negated(term) : term;
}

Term Cells::logical(Op op, const Cell& cell) {
    return terms_.boolean(op, terms_.truth(a(cell)), terms_.truth(b(cell)));
}

Term Cells::shifted(Op op, const Term& value, const Term& count, std::uint32_t width) {
    const Term amount = terms_.number(count);
    if (op == Op::Shl && amount.isLiteral && amount.value >= width)
        return terms_.constant(0, width == 1 ? 1 : 2);
    Term term = terms_.binary(op, value, amount);
    if (op == Op::Shl) term.isExact = false;
    return term;
}

Term Cells::shiftLeft(const Cell& cell) {
    const std::uint32_t width = widthOf(cell);
    Term value = terms_.number(a(cell));
    if (cell.flag("A_SIGNED") && cell["A"].size() < width)
        value = terms_.asSigned(value, static_cast<std::uint32_t>(cell["A"].size()));
    return shifted(Op::Shl, value, b(cell), width);
}

/// Zeros come in, but a signed operand is as wide as the result before.
Term Cells::shiftRight(const Cell& cell) {
    const auto own = static_cast<std::uint32_t>(cell["A"].size());
    Term value = terms_.number(a(cell));
    if (cell.flag("A_SIGNED") && own < widthOf(cell))
        value = terms_.sized(terms_.asSigned(value, own), widthOf(cell));
    return shifted(Op::Shr, value, b(cell), widthOf(cell));
}

Term Cells::shiftArithmetic(const Cell& cell) {
    Term value = terms_.number(a(cell));
    if (cell.flag("A_SIGNED"))
        value = terms_.asSigned(value, static_cast<std::uint32_t>(cell["A"].size()));
    return shifted(Op::Shr, value, b(cell), widthOf(cell));
}

/// $shift and $shiftx: to the left where B is negative. A part that lies within A for any B is one.
Term Cells::shiftBoth(const Cell& cell) {
    const std::uint32_t width = widthOf(cell);
    const auto own = static_cast<std::uint32_t>(cell["A"].size());
    const auto bits = static_cast<std::uint32_t>(cell["B"].size());
    Term value = terms_.number(a(cell));
    if (cell.flag("A_SIGNED") && cell.type == "$shift")
        value = own < width ? terms_.sized(terms_.asSigned(value, own), width) : value;
    const Term count = terms_.number(b(cell));
    const bool mayBeNegative = cell.flag("B_SIGNED") && cell["B"].back() != netlist::kZero;
    if (!mayBeNegative) return shifted(Op::Shr, value, count, width);
    if (count.isLiteral) {
        const bool isLeft = bit_test(count.value, bits - 1);
        const ast::Integer size = isLeft ? (ast::Integer(1) << bits) - count.value : count.value;
        return shifted(isLeft ? Op::Shl : Op::Shr, value, terms_.constant(size, std::max(2U, bits)),
                       width);
    }
    const Term amount = terms_.asSigned(count, bits);
    Term negative = amount;
    negative.id = terms_.tree().unary(ast::UnaryOp::Minus, terms_.operand(amount));
    Term chosen = terms_.conditional(terms_.boolean(Op::Lt, amount, terms_.constant(0, 2)),
                                     terms_.sized(shifted(Op::Shl, value, negative, width), width),
                                     terms_.sized(shifted(Op::Shr, value, amount, width), width),
                                     std::max(2U, width));
    return chosen;
}

/// Where a side is a constant, an operator says it better.
Term Cells::choiceOfBit(const Term& condition, const Term& yes, const Term& no) {
    if (yes.isLiteral && no.isLiteral && (yes.value != 0) != (no.value != 0))
        return yes.value != 0 ? condition : terms_.negated(condition);
    if (yes.isLiteral && !no.isLiteral)
        return yes.value != 0 ? terms_.boolean(Op::Or, condition, no)
                              : terms_.boolean(Op::And, terms_.negated(condition), no);
    if (no.isLiteral && !yes.isLiteral)
        return no.value != 0 ? terms_.boolean(Op::Or, terms_.negated(condition), yes)
                             : terms_.boolean(Op::And, condition, yes);
    return terms_.conditional(condition, yes, no, 1);
}

Term Cells::multiplexer(const Cell& cell) {
    if (widthOf(cell) == 1) return choiceOfBit(terms_.truth(read_(cell["S"])), b(cell), a(cell));
    return terms_.conditional(terms_.truth(read_(cell["S"])), b(cell), a(cell), widthOf(cell));
}

/// One of B's words for each bit of S, which are never on together; else A.
Term Cells::parallelMultiplexer(const Cell& cell) {
    const std::uint32_t width = widthOf(cell);
    const Bits& words = cell["B"];
    const Bits& selects = cell["S"];
    Term term = a(cell);
    for (std::size_t i = selects.size(); i-- > 0;) {
        const auto first = words.begin() + static_cast<std::ptrdiff_t>(i * width);
        const Term word = read_(Bits(first, first + width));
        term = terms_.conditional(read_({selects[i]}), word, term, width);
    }
    return term;
}

Term Cells::binaryMultiplexer(const Cell& cell) {
    const std::uint32_t width = widthOf(cell);
    const Term words = terms_.sized(a(cell), static_cast<std::uint32_t>(cell["A"].size()));
    const Term place = terms_.binary(Op::Mul, terms_.number(read_(cell["S"])),
                                     terms_.number(terms_.constant(width, 32)));
    return terms_.binary(Op::Shr, words, place);
}

Term Cells::element(const Cell& cell) {
    const std::uint32_t width = widthOf(cell);
    const Bits& whole = cell["A"];
    std::vector<Term> elements;
    for (auto first = whole.begin(); first != whole.end(); first += width)
        elements.push_back(terms_.sized(read_(Bits(first, first + width)), width));
    const Term index = terms_.number(read_(cell["S"]));
    const Term chosen = terms_.element(elements, index, width);
    if (elements.size() >> cell["S"].size() != 0) return chosen;
    const Term count = terms_.number(terms_.constant(elements.size(), 32));
    const Term none = terms_.constant(0, width);
    return terms_.conditional(terms_.boolean(Op::Lt, index, count), chosen, none, width);
}

Term Cells::demultiplexer(const Cell& cell) {
    const auto width = static_cast<std::uint32_t>(cell["A"].size());
    const Term place = terms_.binary(Op::Mul, terms_.number(read_(cell["S"])),
                                     terms_.number(terms_.constant(width, 32)));
    Term term = terms_.binary(Op::Shl, terms_.number(a(cell)), place);
    term.isExact = false;
    return term;
}

Term Cells::lookUp(const Cell& cell) {
    ast::Integer table = 0;
    const std::string_view digits = netlist::valueOf(cell.parameters, "LUT");
    for (const char digit : digits)
        table = table << 1 | (digit == '1' ? 1 : 0);
    return terms_.binary(Op::Shr, terms_.number(terms_.constant(table, 64)),
                         terms_.number(a(cell)));
}

Term Cells::table(const Cell& cell) {
    const Term place =
        terms_.sized(terms_.number(a(cell)), static_cast<std::uint32_t>(cell["A"].size()));
    const ast::ExprId name = terms_.tree().name(netlist::valueOf(cell.parameters, "NAME"));
    return terms_.variable(terms_.tree().index(name, place.id), widthOf(cell));
}

/// Of one bit.
Term Cells::gate(const Cell& cell) {
    const std::string_view type = cell.type;
    if (type == "$_BUF_") return a(cell);
    if (type == "$_NOT_") return terms_.negated(a(cell));
    if (type == "$_MUX_" || type == "$_NMUX_") {
        const Term chosen = terms_.conditional(read_(cell["S"]), b(cell), a(cell), 1);
        return type == "$_MUX_" ? chosen : terms_.negated(chosen);
    }
    const Op op =
        type.find("XOR") != std::string_view::npos || type.find("XNOR") != std::string_view::npos
            ? Op::Xor
            : (type.find("AND") != std::string_view::npos ? Op::And : Op::Or);
    const bool isInner = type == "$_ANDNOT_" || type == "$_ORNOT_";
    const Term term = terms_.boolean(op, a(cell), isInner ? terms_.negated(b(cell)) : b(cell));
    const bool isNegated = type == "$_NAND_" || type == "$_NOR_" || type == "$_XNOR_";
    return isNegated ? terms_.negated(term) : term;
}

}  // namespace smec::rtl
