#pragma once

#include <string>
#include <vector>

#include "netlist/netlist.h"
#include "rtl/problem.h"

namespace smec::rtl {

/// What `$display` prints, for a `trace` statement.
struct Printed {
    struct Argument {
        netlist::Bits bits;  ///< empty: the number of the cycle
        bool isSigned = false;
    };
    std::string format;
    std::vector<Argument> arguments;
};

/// Of a cell $print. What `trace` prints otherwise comes as near as it can: numbers are aligned to
/// the right, and octal digits all there. Throws Problem for characters that are not constant.
Printed printedBy(const netlist::Cell& cell);

/// Puts cells into the order in which they print.
void sortByPriority(std::vector<const netlist::Cell*>& cells);

/// Of the edges at which a check is made or something printed, that of a register's clock stays, and
/// a cell without an edge is one of every cycle, if it is a check. What cannot be printed goes; the
/// problems of these cells are returned, with those of prints that have no edge.
std::vector<Problem> settleTriggers(netlist::Module& module);

}  // namespace smec::rtl
