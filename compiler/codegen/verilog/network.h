#pragma once

#include "codegen/hdl_writer.h"
#include "codegen/verilog/verilog.h"

namespace smec::codegen::verilog {

/// What stands in the module of a network after its ports and wires: instances and generate loops.
void printNetwork(const hdl::Design& design, const hdl::Module& module, const Options& options,
                  Writer& out);

}  // namespace smec::codegen::verilog
