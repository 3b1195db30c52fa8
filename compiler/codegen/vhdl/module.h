#pragma once

#include <string>

#include "codegen/vhdl/probes.h"
#include "codegen/vhdl/vhdl.h"

namespace smec::codegen::vhdl {

/// An entity and its architecture. `copies`: the copy of a network in a test bench.
std::string printModule(const hdl::Design& design, const hdl::Module& module,
                        const SourceManager& sources, const Options& options,
                        const Probed* copies = nullptr);

}  // namespace smec::codegen::vhdl
