#pragma once

#include "diag/diagnostics.h"
#include "driver/compile/verilog_input.h"
#include "hir/design.h"
#include "sema/program.h"

namespace smec::driver {

/// Makes networks of these processes: the module, imported for each set of constants that the
/// design has, and between its ports and the buses processes that carry bits. `design` is what was
/// elaborated from the program as it is; afterwards it has to be elaborated anew.
///
///     extern proc dsp(in a: w, out p: w, const n: uint) verilog("dsp.v");
///     network dsp(in a: w, out p: w, const n: uint)
///         bus a_v { v: u8; };
///         instance of_a_v of wires.of_a_v(a, a_v);
///         …
///         generate if n == 3 { instance dsp of module.dsp(a_v: a_v, p_v: p_v); }
///
/// `options`: folders of includes and macros. Throws as importVerilog does.
void importProcesses(sema::Program& program, const hir::Design& design, const VerilogInput& options,
                     SourceManager& sources, Diagnostics& diagnostics);

}  // namespace smec::driver
