#pragma once

#include <map>
#include <set>
#include <string>

#include "codegen/cpp/program.h"
#include "codegen/cpp/text.h"

/// Printers of the parts of a translation unit. Kernels are named by their place in
/// plan::Plan::kernels.
namespace smec::codegen::cpp {

/// The inner functions of a unit's loops: text without the name, and the name.
using LoopFunctions = std::map<std::string, std::string>;

/// A loop over the instances of a class: the kernel that walks the segments, and the inner function
/// unless one of the `known` does the same.
void printLoop(Program& program, std::uint32_t kernel, LoopFunctions& known, Writer& out);

/// Straight-line code for a few instances of many classes.
void printBlock(Program& program, std::uint32_t kernel, Writer& out);

/// Calls of loops, row by row, in topological order.
void printOrdered(Program& program, std::uint32_t kernel, Writer& out);

/// Calls of the parts' loops, range by range.
void printMerged(Program& program, std::uint32_t kernel, Writer& out);

/// The functions and small constant arrays that the kernels of a unit use, as `namespace functions`
/// and `namespace tables`.
void printFunctions(const Program& program, const std::set<std::uint32_t>& ids, Writer& out);
void printTables(const Program& program, const std::set<std::uint32_t>& ids, Writer& out);

/// A whole unit.
std::string printUnit(Program& program, const plan::TranslationUnit& unit);

/// foreign.cpp: wrappers around the C++ that `extern` names; empty when there is none.
std::string printForeign(const Program& program);

/// model.cpp: the tables of sme::Model.
std::string printModel(Program& program);

}  // namespace smec::codegen::cpp
