#pragma once

#include <functional>

#include "netlist/netlist.h"
#include "rtl/terms.h"

namespace smec::rtl {

/// Why a cell that Cells does not make cannot be imported, as a message says it. `name`: of what it
/// drives, or empty.
std::string whyNot(const netlist::Cell& cell, const std::string& name);
/// The same of a latch that a block makes which waits for an edge; empty: it is none.
std::string whyNotAtEdge(const netlist::Cell& cell, const std::string& name);
/// The same of z.
std::string triState(const std::string& name);
/// Whether it is one that Cells makes.
bool computes(const netlist::Cell& cell);

/// Cells that compute, as expressions. What they mean is defined by Yosys' simulation library
/// (simlib.v); where that gives x, this gives 0.
class Cells {
public:
    using Read = std::function<Term(const netlist::Bits&)>;
    Cells(Terms& terms, Read read) : terms_(terms), read_(std::move(read)) {}

    /// Output Y.
    Term make(const netlist::Cell& cell);

private:
    friend struct CellTable;
    using Op = ast::BinaryOp;

    std::uint32_t widthOf(const netlist::Cell& cell) const;
    bool isSigned(const netlist::Cell& cell) const;
    Term a(const netlist::Cell& cell) { return read_(cell["A"]); }
    Term b(const netlist::Cell& cell) { return read_(cell["B"]); }
    /// An operand as arithmetic sees it.
    Term side(const netlist::Cell& cell, std::string_view port);
    /// The same at least as wide as the result, so that nothing is missing above.
    Term extended(const netlist::Cell& cell, std::string_view port, std::uint32_t width);

    Term arithmetic(Op op, const netlist::Cell& cell);
    Term bitwise(Op op, const netlist::Cell& cell);
    Term division(Op op, const netlist::Cell& cell);
    Term comparison(Op op, const netlist::Cell& cell);
    Term exactComparison(Op op, const netlist::Cell& cell);
    Term inverted(const netlist::Cell& cell);
    Term negative(const netlist::Cell& cell);
    Term copied(const netlist::Cell& cell);
    Term reduction(std::string_view function, const netlist::Cell& cell);
    Term shiftLeft(const netlist::Cell& cell);
    Term shiftRight(const netlist::Cell& cell);
    Term shiftArithmetic(const netlist::Cell& cell);
    Term shiftBoth(const netlist::Cell& cell);
    Term logical(Op op, const netlist::Cell& cell);
    Term multiplexer(const netlist::Cell& cell);
    Term choiceOfBit(const Term& condition, const Term& yes, const Term& no);
    Term parallelMultiplexer(const netlist::Cell& cell);
    Term binaryMultiplexer(const netlist::Cell& cell);
    Term demultiplexer(const netlist::Cell& cell);
    Term element(const netlist::Cell& cell);
    Term lookUp(const netlist::Cell& cell);
    Term table(const netlist::Cell& cell);
    Term gate(const netlist::Cell& cell);
    Term shifted(Op op, const Term& value, const Term& count, std::uint32_t width);

    Terms& terms_;
    Read read_;
};

}  // namespace smec::rtl
