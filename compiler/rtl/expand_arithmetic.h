#pragma once

#include "rtl/cell_maker.h"

/// What Yosys' simulation library (simlib.v) says of a cell, by cells that are simpler.
namespace smec::rtl {

/// Whether `cell` is one of these, and has been made of others.
bool expandArithmetic(const netlist::Cell& cell, CellMaker& maker);

}  // namespace smec::rtl
