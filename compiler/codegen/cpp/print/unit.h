#pragma once

#include <set>
#include <string>

#include "codegen/cpp/print/names.h"
#include "codegen/cpp/print/text.h"

/// Printers of the parts of a translation unit. Kernels are named by their place in
/// plan::Plan::kernels. None of them decides anything, or changes what was decided.
namespace smec::codegen::cpp {

/// What a kernel is called with (sme::Instances, sme::Block).
constexpr const char* kInstancesParameters =
    "const sme::Thread& thread, const sme::Slots& slots, u32 begin, u32 end";
constexpr const char* kBlockParameters = "const sme::Thread& thread, const sme::Slots& slots";

/// A loop over the instances of a class: the kernel that walks the segments, and the inner
/// functions that no other kernel of the unit has.
void printLoop(const CppDesign& cpp, std::uint32_t kernel, Writer& out);

/// Straight-line code for a few instances of many classes.
void printBlock(const CppDesign& cpp, std::uint32_t kernel, Writer& out);
/// One that is cut calls these.
void printBlockFunction(const CppDesign& cpp, plan::CutFunction function, Writer& out);

/// The functions and small constant arrays that the kernels of a unit use, as `namespace functions`
/// and `namespace tables`.
void printFunctions(const CppDesign& cpp, const std::set<std::uint32_t>& ids, Writer& out);
void printTables(const CppDesign& cpp, const std::set<std::uint32_t>& ids, Writer& out);

/// A whole unit: plan::Plan::units.
std::string printUnit(const CppDesign& cpp, std::size_t unit);

/// foreign.cpp: wrappers around the C++ that `extern` names; empty when there is none.
std::string printForeign(const CppDesign& cpp);

}  // namespace smec::codegen::cpp
