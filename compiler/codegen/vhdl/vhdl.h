#pragma once

#include <map>
#include <string>

#include "hdl/hdl.h"
#include "source/source_manager.h"

namespace smec::codegen::vhdl {

using Options = hdl::Reset;

/// A file for each module, "NAME.vhd" -> text, and one for the package Design::support, which is
/// analysed first; VHDL-2008. Same design, same bytes.
std::map<std::string, std::string> print(const hdl::Design& design, const SourceManager& sources,
                                         const Options& options);

}  // namespace smec::codegen::vhdl
