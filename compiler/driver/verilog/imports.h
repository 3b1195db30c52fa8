#pragma once

#include <string>
#include <vector>

#include "driver/compile/verilog_input.h"

/// What an import of Verilog depends on.
namespace smec::driver {

/// A file that Verilog reads, or would if it were there.
struct VerilogFile {
    std::string path;
    std::string hash;  ///< of what it holds; empty: it is not there
};

/// The files given, those that they include, and data that they name: each text in quotes is taken
/// for a name, in all folders where it may be.
std::vector<VerilogFile> importedFiles(const VerilogInput& input);

/// Texts in quotes that stand on one line: what may name a file.
std::vector<std::string> quotedTexts(const std::string& text);

/// All but what the files hold: options, smec and Yosys.
std::string importKey(const VerilogInput& input);

}  // namespace smec::driver
