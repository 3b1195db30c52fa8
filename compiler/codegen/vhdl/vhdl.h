#pragma once

#include <map>
#include <string>

#include "hdl/hdl.h"
#include "source/source_manager.h"

namespace smec::codegen::vhdl {

using Options = hdl::Reset;

/// The package with the functions that the modules call: "smec_support", unless a module has that
/// name. It is analysed first, its file is "NAME.vhd".
std::string supportName(const hdl::Design& design);

/// A file for each module, "NAME.vhd" -> text, and one for the package; VHDL-2008. Same design,
/// same bytes.
std::map<std::string, std::string> print(const hdl::Design& design, const SourceManager& sources,
                                         const Options& options);

}  // namespace smec::codegen::vhdl
