#include "driver/verilog/reader.h"

#include "driver/verilog/clocked_bodies.h"
#include "driver/verilog/extern_processes.h"
#include "driver/verilog/library_files.h"
#include "driver/verilog/translate.h"

namespace smec::driver {

void YosysReader::addLibraryFiles(VerilogInput& input) const { driver::addLibraryFiles(input); }

std::optional<ImportedFile> YosysReader::import(const VerilogInput& input, SourceManager& sources,
                                                Diagnostics& diagnostics) const {
    return importVerilog(input, sources, diagnostics);
}

void YosysReader::importProcesses(sema::Program& program, const hir::Design& design,
                                  const VerilogInput& options, SourceManager& sources,
                                  Diagnostics& diagnostics) const {
    driver::importProcesses(program, design, options, sources, diagnostics);
}

void YosysReader::checkClockedBodies(const hir::Design& design, const VerilogInput& options,
                                     SourceManager& sources, Diagnostics& diagnostics) const {
    driver::checkClockedBodies(design, options, sources, diagnostics);
}

}  // namespace smec::driver
