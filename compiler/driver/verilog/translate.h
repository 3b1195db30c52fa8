#pragma once

#include <map>
#include <optional>
#include <string>

#include "diag/diagnostics.h"
#include "driver/compile/verilog_reader.h"

namespace smec::driver {

struct TranslatedVerilog {
    std::string text;                            ///< formatted `.sme`
    std::map<std::string, std::string> modules;  ///< rtl::Imported::modules
    std::string reader;                          ///< Elaborated::reader
};

/// Nothing where something is wrong, which is reported. Throws Ended,
/// FileError and Interrupted.
std::optional<TranslatedVerilog> translateVerilog(const VerilogInput& input, SourceManager& sources,
                                                  Diagnostics& diagnostics);

/// The same as a file of the cache, which is made again where a file has changed that it was made
/// of: those given, those that they include, and data that they name. The file is called after the
/// first of them. Beside it is what compile/imported_text reads.
std::optional<ImportedFile> importVerilog(const VerilogInput& input, SourceManager& sources,
                                          Diagnostics& diagnostics);

}  // namespace smec::driver
