#pragma once

#include <map>
#include <string>

#include "hdl/hdl.h"
#include "source/source_manager.h"

namespace smec::codegen::verilog {

struct Options {
    bool isAsync = false;      ///< reset at once, not at the next edge
    bool isActiveLow = false;  ///< the reset is called rst_n then
};

/// The name of the reset's port.
std::string resetName(const Options& options);

/// A file for each module, "NAME.sv" -> text. Same design, same bytes.
std::map<std::string, std::string> print(const hdl::Design& design, const SourceManager& sources,
                                         const Options& options);

}  // namespace smec::codegen::verilog
