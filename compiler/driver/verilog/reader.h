#pragma once

#include "driver/compile/verilog_reader.h"

namespace smec::driver {

/// Reads Verilog through Yosys.
class YosysReader final : public VerilogReader {
public:
    void addLibraryFiles(VerilogInput& input) const override;
    std::optional<ImportedFile> import(const VerilogInput& input, SourceManager& sources,
                                       Diagnostics& diagnostics) const override;
    void importProcesses(sema::Program& program, const hir::Design& design,
                         const VerilogInput& options, SourceManager& sources,
                         Diagnostics& diagnostics) const override;
    void checkClockedBodies(const hir::Design& design, const VerilogInput& options,
                            SourceManager& sources, Diagnostics& diagnostics) const override;
};

}  // namespace smec::driver
