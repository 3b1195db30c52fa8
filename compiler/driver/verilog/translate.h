#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostics.h"
#include "driver/verilog/verilog_input.h"

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

struct ImportedFile {
    std::filesystem::path path;       ///< of the `.sme`
    std::vector<std::string> inputs;  ///< files that it was made of
    std::vector<std::string> absent;  ///< that would have counted if they had been there
};

/// The same as a file of the cache, which is made again where a file has changed that it was made
/// of: those given, those that they include, and data that they name. The file is called after the
/// first of them. Beside it is what modulesBeside() reads.
std::optional<ImportedFile> importVerilog(const VerilogInput& input, SourceManager& sources,
                                          Diagnostics& diagnostics);

/// Of a file that importVerilog has made: TranslatedVerilog::modules. Of another one: nothing.
std::map<std::string, std::string> modulesBeside(const std::filesystem::path& file);

/// Of the same file: TranslatedVerilog::reader. Of another one: empty.
std::string readerBeside(const std::filesystem::path& file);

}  // namespace smec::driver
