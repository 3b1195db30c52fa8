#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "ir/ir.h"
#include "rules/ledger.h"

namespace smec::passes {

struct Options {
    bool lanes = true;  ///< branches may go for the sake of vector instructions
    rules::Asker ledger{};
    std::span<const ir::LogWanted> logs{};  ///< that a plan asks for
    /// Told after each pass, with its name, what has become of the design; false: no more passes.
    std::function<bool(std::string_view pass, const ir::Design&)> observe{};
};

/// A pass, for those who run one by itself.
struct Pass {
    std::string_view name;                       ///< as in --emit=ir-after=NAME
    std::string_view text;                       ///< what it does, half a sentence
    bool (*apply)(ir::Design&, const Options&);  ///< whether there is something to tidy up
};
/// All, in the order of their first runs, those behind the plan last. "lowering" is none: what run() begins with.
std::span<const Pass> all();

/// Gives a lowered design the hashes by which states tell it and its bodies, before options have a say.
void identify(ir::Design& design);

/// The passes in their fixed order (read pipeline.cpp), but those that a plan asks for; the design is
/// verified after each. Throws InternalError with a text when a pass broke it. The statements of what it
/// leaves are numbered.
void run(ir::Design& design, const Options& options = {});

/// The pass behind the plan: "replay" of `options.logs`. As run() otherwise. The classes whose bodies changed,
/// in ascending order.
std::vector<std::uint32_t> runBehindPlan(ir::Design& design, const Options& options);

}  // namespace smec::passes
