#pragma once

#include <map>
#include <optional>
#include <string>

#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "netlist/netlist.h"
#include "rtl/options.h"

namespace smec::rtl {

struct Imported {
    ast::Module text;
    /// Of each process that is a part of a Verilog module, but is not called as it is: the module,
    /// by its name in `text`.
    std::map<std::string, std::string> modules;
};

/// A netlist as a module of `.sme`, as if a user had written it: for each Verilog module a process
/// or network of its name, with a port for each of its own but the clock, a bus with the field `v`;
/// and a network around `top` where that is a process. The clock is the implicit one. Reports what
/// cannot be imported at its place in the Verilog source, and returns nothing then.
std::optional<Imported> import(netlist::Design design, std::string_view top, const Options& options,
                               SourceManager& sources, Diagnostics& diagnostics);

}  // namespace smec::rtl
