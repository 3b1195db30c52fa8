#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostics.h"

namespace smec::sema {

struct ModuleId {
    std::uint32_t index = UINT32_MAX;
    bool valid() const { return index != UINT32_MAX; }
};

/// All modules of a compilation; modules[0] is the file given. Loaded by driver::load, which
/// follows imports.
struct Program {
    struct Entry {
        ast::Module ast;
        std::filesystem::path path;        ///< absolute
        bool fromStandardLibrary = false;  ///< or imported from Verilog: no warnings in it
        std::vector<ModuleId>
            imports;  ///< parallel to the ast::Import declarations of the module, in order
    };
    std::vector<Entry> modules;
    std::vector<std::filesystem::path>
        includeDirs;  ///< -I: headers of `extern` are looked up there too
    std::filesystem::path standardLibrary;
    /// Files of other languages that modules were made of, and that would have counted if they had
    /// been there.
    std::vector<std::filesystem::path> alsoRead;
    std::vector<std::filesystem::path> alsoMissed;
};

struct LoadOptions {
    std::vector<std::filesystem::path> includeDirs;  ///< -I
    std::filesystem::path standardLibrary;
};

/// Reads and parses `file` and everything it imports: beside the importing file first, then -I,
/// then the standard library. `lib.fifo` is lib/fifo.sme. Import loops and missing modules are
/// errors at the import. Refuses directories, files over 256 MiB, and paths that leave the folders
/// searched.
Program load(const std::filesystem::path& file, const LoadOptions& options, SourceManager& sources,
             Diagnostics& diagnostics);

}  // namespace smec::sema
