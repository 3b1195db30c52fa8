#pragma once

#include <string>

#include "codegen/vhdl/probes.h"
#include "codegen/vhdl/process.h"

namespace smec::codegen::vhdl {

/// The architecture of a network, or of its copy in a test bench.
Architecture networkOf(const hdl::Design& design, const hdl::Module& module, const Options& options,
                       const Probed* copies);

}  // namespace smec::codegen::vhdl
