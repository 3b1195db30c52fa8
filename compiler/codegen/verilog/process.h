#pragma once

#include "codegen/hdl_writer.h"
#include "codegen/verilog/expression.h"

namespace smec::codegen::verilog {

/// Whether the outputs of a combinational process never change.
bool isConstant(const hdl::Module& module);

/// What stands in the module of a process or a delay line behind its ports and registers.
void printProcess(const hdl::Module& module, const SourceManager& sources, const Options& options,
                  const ExpressionPrinter& expressions, Writer& out);

}  // namespace smec::codegen::verilog
