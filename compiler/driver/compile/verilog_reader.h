#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostics.h"
#include "driver/compile/verilog_input.h"

namespace smec::hir {
struct Design;
}
namespace smec::sema {
struct Program;
}

namespace smec::driver {

struct ImportedFile {
    std::filesystem::path path;       ///< of the `.sme`
    std::vector<std::string> inputs;  ///< files that it was made of
    std::vector<std::string> absent;  ///< that would have counted if they had been there
};

/// What commands that compile ask of who reads Verilog. The program says who that is.
class VerilogReader {
public:
    virtual ~VerilogReader() = default;
    /// As verilog/library_files.h says.
    virtual void addLibraryFiles(VerilogInput& input) const = 0;
    /// As verilog/translate.h says of importVerilog().
    virtual std::optional<ImportedFile> import(const VerilogInput& input, SourceManager& sources,
                                               Diagnostics& diagnostics) const = 0;
    /// As verilog/extern_processes.h says.
    virtual void importProcesses(sema::Program& program, const hir::Design& design,
                                 const VerilogInput& options, SourceManager& sources,
                                 Diagnostics& diagnostics) const = 0;
    /// As verilog/clocked_bodies.h says.
    virtual void checkClockedBodies(const hir::Design& design, const VerilogInput& options,
                                    SourceManager& sources, Diagnostics& diagnostics) const = 0;
};

/// Whether an extern process of the design has Verilog.
bool namesVerilog(const hir::Design& design);
/// Whether an extern process of the design has Verilog, but no C++, so that the Verilog is what is
/// simulated.
bool hasVerilogProcesses(const hir::Design& design);

}  // namespace smec::driver
