#pragma once

#include <map>
#include <string>

#include "hdl/hdl.h"
#include "source/source_manager.h"

namespace smec::codegen::verilog {

enum class Dialect : std::uint8_t {
    SystemVerilog,  ///< Verilog-2005 with logic, always_ff, always_comb, casts and assertions
    Verilog2005,
};
struct Options {
    hdl::Reset reset{};
    Dialect dialect = Dialect::SystemVerilog;
    bool isVerilog2005() const { return dialect == Dialect::Verilog2005; }
    /// Of the files of modules.
    const char* suffix() const { return isVerilog2005() ? ".v" : ".sv"; }
};

/// A file for each module, "NAME.sv" or "NAME.v" -> text. Same design, same bytes.
std::map<std::string, std::string> print(const hdl::Design& design, const SourceManager& sources,
                                         const Options& options);

}  // namespace smec::codegen::verilog
