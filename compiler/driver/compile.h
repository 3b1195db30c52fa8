#pragma once

#include <filesystem>
#include <optional>

#include "driver/installation.h"
#include "driver/options.h"
#include "driver/stats.h"
#include "hir/design.h"
#include "sema/program.h"

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

/// The folder for the generated files of these options.
std::filesystem::path buildFolder(const CompileOptions& options);

/// Compiles to `<build folder>/simulator` (or only as far as --emit and --no-build say). Returns
/// the exit status.
int compile(const CompileOptions& options, const Installation& installation);

}  // namespace smec::driver
