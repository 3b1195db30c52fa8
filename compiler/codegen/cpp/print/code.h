#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codegen/cpp/print/names.h"

namespace smec::codegen::cpp {

/// design.cpp: sme::Code of the design, with main() of a program or, where it has a name, the functions
/// of a library.
std::string printCode(const CppDesign& cpp, const std::string& library);

/// identity.s: what sme::Code points to as its identity.
std::string printIdentity(const CppDesign& cpp, std::uint64_t identity);

/// model.s: brings in `image`, which is model.bin.
std::string printImage(const CppDesign& cpp, std::string_view image);
/// tables.s: brings in tables.bin.
std::string printTableData(const CppDesign& cpp);

/// All else is the library's own, so that any number of them may be in a process.
std::string printExports(const std::string& library);

}  // namespace smec::codegen::cpp
