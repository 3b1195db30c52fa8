#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/ir.h"
#include "plan/plan.h"
#include "rules/ledger.h"
#include "source/source_manager.h"

namespace smec::codegen::cpp {

/// What most of a unit is, by which a C++ compiler is told where to look for what.
enum class CodeShape : std::uint8_t {
    Loops,
    Straight,      ///< straight-line code
    LongStraight,  ///< so much of it that what is computed early lies in memory until it is used
    CutStraight    ///< functions of a block that is too long for one
};

/// Files to write, by name relative to the build directory. Units are compiled one by one;
/// `design.cpp` has the addresses of what is in them; `model.bin` has all tables of the model, and
/// `tables.bin` long constant tables of the code: both are included by the assembler.
struct SourceBundle {
    std::map<std::string, std::string> files;
    std::vector<std::string>
        translationUnits;  ///< names of the .cpp (and .S) files to compile, in order
    std::map<std::string, CodeShape> shapes;  ///< of the others it is Loops
};

/// The one unit that takes in headers of the user; compiled with exceptions and with warnings as he
/// likes them.
inline constexpr const char* kForeignUnit = "foreign.cpp";

/// The unit that takes model.bin in; without it `design.cpp` has the code alone.
inline constexpr const char* kModelUnit = "model.s";
/// The unit that says which model.bin is for this code.
inline constexpr const char* kIdentityUnit = "identity.s";
/// What the assembler takes in.
inline constexpr const char* kModelImage = "model.bin";
inline constexpr const char* kTables = "tables.bin";

/// Which symbols a library exports; for the linker.
inline constexpr const char* kExports = "exports.map";

/// The design as classes of C++, for who uses a library.
inline constexpr const char* kTypedHeader = "typed.hpp";

/// What `library` of that name exports for who links it: "sme_library_of_NAME".
std::string libraryFunction(const std::string& library);

struct Options {
    bool lineDirectives = false;  ///< #line back to the .sme, for debuggers; any edit above then
                                  ///< changes every line below
    bool lanes = true;            ///< loops are written for vector instructions
    rules::Asker ledger{};
    std::string compiler = "smec";  ///< name and version, which simulators tell
    std::string library{};  ///< an identifier: the design is a library of that name; else a program
};

/// The C++ of a design. Same input, same bytes. Compile from within the build directory (model.s
/// takes in model.bin) with -std=c++20 -O2 -ffp-contract=off -I<contract/include> -I<runtime/include> -I.; the loops ask
/// for vectorisation themselves.
/// `facts`: of the design as it is, with the logs that the plan asked for.
SourceBundle generate(const ir::Design& design, const plan::Plan& plan, const plan::Facts& facts,
                      const SourceManager& sources, const Options& options);

/// Whether two versions of a generated file are the same program: equal but for the places named in
/// comments. An edit that only moves processes down their file need not be written, nor compiled.
bool isSameCode(std::string_view a, std::string_view b);

}  // namespace smec::codegen::cpp
