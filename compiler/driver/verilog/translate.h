#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostics.h"
#include "driver/verilog/verilog_input.h"

namespace smec::driver {

/// Verilog as formatted `.sme`. Nothing where something is wrong, which is reported. Throws Ended,
/// FileError and Interrupted.
std::optional<std::string> translateVerilog(const VerilogInput& input, SourceManager& sources,
                                            Diagnostics& diagnostics);

struct ImportedFile {
    std::filesystem::path path;       ///< of the `.sme`
    std::vector<std::string> inputs;  ///< files that it was made of
    std::vector<std::string> absent;  ///< that would have counted if they had been there
};

/// The same as a file below `.smec`, which is made again where a file has changed that it was made
/// of: those given, those that they include, and data that they name. The file is called after the
/// first of them.
std::optional<ImportedFile> importVerilog(const VerilogInput& input, SourceManager& sources,
                                          Diagnostics& diagnostics);

}  // namespace smec::driver
