#pragma once

#include <string>

#include "codegen/vhdl/vhdl.h"

namespace smec::codegen::vhdl {

/// What stands in an architecture in front of "begin" and after it.
struct Architecture {
    std::string declarations;
    std::string statements;
};

/// Of a process or a delay line.
Architecture processOf(const hdl::Module& module, const SourceManager& sources,
                       const Options& options);

}  // namespace smec::codegen::vhdl
