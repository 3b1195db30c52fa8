#pragma once

#include <optional>

#include "driver/compile/build_folder.h"
#include "driver/compile/options.h"
#include "driver/compile/stats.h"
#include "driver/system/installation.h"
#include "hir/design.h"
#include "sema/program.h"
#include "source/output_file.h"

namespace smec::driver {

/// One run of the front end: sources, diagnostics and the checked design.
struct FrontEnd {
    SourceManager sources;
    Diagnostics diagnostics;
    sema::Program program;
    std::optional<hir::Design> design;  ///< absent after errors
    explicit FrontEnd(const WarningOptions& warnings) : diagnostics(warnings) {}
};

/// Loads, parses and checks `file`. Prints nothing. `networks`: for hir::Design::networks.
void runFrontEnd(FrontEnd& front, const std::string& file, const CompileOptions& options,
                 bool checkOnly, Stats& stats, bool networks = false);

/// Prints the diagnostics to stderr; returns them as printed.
std::string printDiagnostics(const FrontEnd& front, const CompileOptions& options);

struct Compiled {
    int status;
    InputFiles inputs;            ///< what was read; empty when it failed
    std::filesystem::path built;  ///< the simulator or library; empty where there is none
};

/// Compiles a simulator, or finds it in the cache (or goes only as far as --emit and --no-build
/// say), and copies it to `program` where that is not empty. Throws FileError, also where a file that is read would
/// be written.
Compiled compile(const CompileOptions& options, const Installation& installation,
                 const std::string& program);

/// What -o says, or the file's stem in the current folder.
std::string outputName(const CompileOptions& options);

}  // namespace smec::driver
