#pragma once

#include <optional>

#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "netlist/netlist.h"
#include "rtl/options.h"

namespace smec::rtl {

/// A netlist as a module of `.sme`, as if a user had written it: for each Verilog module a process
/// or network of its name, with a port for each of its own but the clock, a bus with the field `v`;
/// and a network around `top` where that is a process. The clock is the implicit one. Reports what
/// cannot be imported at its place in the Verilog source, and returns nothing then.
std::optional<ast::Module> import(netlist::Design design, std::string_view top,
                                  const Options& options, SourceManager& sources,
                                  Diagnostics& diagnostics);

}  // namespace smec::rtl
