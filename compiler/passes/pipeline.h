#pragma once

#include "ir/ir.h"

namespace smec::passes {

struct Options {
    bool lanes = true;  ///< branches may go for the sake of vector instructions
};

/// The passes in their fixed order (read pipeline.cpp); the design is verified after each. Throws
/// InternalError with a text when a pass broke it.
void run(ir::Design& design, const Options& options = {});

}  // namespace smec::passes
