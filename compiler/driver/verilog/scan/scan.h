#pragma once

#include <memory>
#include <vector>

#include "diag/diagnostics.h"
#include "driver/compile/verilog_input.h"
#include "driver/verilog/scan/findings.h"

namespace smec::driver::scan {

/// What the words of Verilog hold of which some reader is known to get wrong, or not to read:
/// docs/verilog.md has the rules. Tokens of the findings point into the texts.
struct Scan {
    Texts texts;
    std::vector<Finding> findings;
};

/// It reads the files itself, and whatever they hold it ends, in time proportional to what they
/// become. Finds nothing where `input` asks for nothing but synthesis.
std::unique_ptr<const Scan> scanVerilog(const VerilogInput& input);

/// Whether this reader gets something of it wrong.
bool isRefused(const Scan& scan, const Reader& reader);

/// Reports what this reader gets wrong. `hasWarnings`: else errors alone. `before`: a reader that has
/// said its own warnings, which are not said again.
void report(const Scan& scan, const Reader& reader, bool hasWarnings, SourceManager& sources,
            Diagnostics& diagnostics, const Reader* before = nullptr);

}  // namespace smec::driver::scan
