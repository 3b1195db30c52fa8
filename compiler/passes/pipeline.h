#pragma once

#include <cstdint>
#include <vector>

#include "ir/ir.h"
#include "rules/rules.h"

namespace smec::passes {

struct Options {
    bool lanes = true;  ///< branches may go for the sake of vector instructions
    rules::Without without{};
};

/// Gives a lowered design the hashes by which states tell it and its bodies, before options have a say.
void identify(ir::Design& design);

/// The passes in their fixed order (read pipeline.cpp); the design is verified after each. Throws
/// InternalError with a text when a pass broke it. The statements of what it leaves are numbered.
void run(ir::Design& design, const Options& options = {});

/// What is left to do once the plan is known: dropNotes(), behind which what it changed is verified
/// as behind every pass. Throws as run() does. The classes whose bodies changed.
std::vector<std::uint32_t> finish(ir::Design& design, const std::vector<bool>& inPlace);

}  // namespace smec::passes
