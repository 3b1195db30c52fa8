#pragma once

#include <string>

#include "driver/compile/options.h"
#include "ir/ir.h"
#include "plan/plan.h"
#include "rules/ledger.h"
#include "source/source_manager.h"

namespace smec::driver {

/// What the optimiser decided, for --explain and --explain-json.
struct Explanation {
    std::string warnings;  ///< globs that match no process
    std::string text;      ///< a sentence a line; empty: nobody asked
    std::string json;      ///< docs/decisions.md; empty: nobody asked
};

bool isExplained(const CompileOptions& options);

/// `plan`: null where none was made.
Explanation explanationOf(const ir::Design& design, const plan::Plan* plan,
                          const rules::Ledger& ledger, const SourceManager& sources,
                          const CompileOptions& options);

}  // namespace smec::driver
