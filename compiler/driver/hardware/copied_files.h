#pragma once

#include <vector>

#include "diag/diagnostics.h"
#include "driver/compile/verilog_input.h"
#include "hdl/hdl.h"

namespace smec::driver {

/// What was written by hand and goes along with a design: the files of its extern processes; of
/// Verilog also the files of `verilog` that have modules for them, and what all these read by
/// `include, $readmemh and the like. The folder of the design needs nothing else: each name in a
/// copy is the one that the file has there, and macros of `verilog` stand at its beginning.
///
/// A name is looked for in the folder of the file that has it, for `include in the folders for
/// that, else in those of the other files, and in the current folder last. Two files of one name
/// get two names. A name that is put together while it is elaborated stays what it is, with the
/// file below that name. What is not found is reported (ExportData), and left out.
std::vector<hdl::CopiedFile> copiedFiles(const hdl::Design& design, const VerilogInput& verilog,
                                         Diagnostics& diagnostics);

}  // namespace smec::driver
