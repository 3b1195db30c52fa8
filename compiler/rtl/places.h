#pragma once

#include <map>
#include <string>
#include <string_view>

#include "diag/diagnostics.h"
#include "netlist/netlist.h"

namespace smec::rtl {

/// Where cells and modules stand in the Verilog source, by Yosys' attribute `src`
/// ("cpu.v:12.3-14.20"). Reads files of the source when a place in them is asked for.
class Places {
public:
    explicit Places(SourceManager& sources) : sources_(sources) {}
    /// Invalid where there is none, or its file cannot be read.
    SourceRange of(const netlist::Values& attributes);

    /// Whether what stands there is a block `always @(posedge ...)`, by its words.
    bool waitsForEdge(SourceRange range) const;

private:
    FileId file(const std::string& path);

    SourceManager& sources_;
    std::map<std::string, FileId> files_;
};

}  // namespace smec::rtl
