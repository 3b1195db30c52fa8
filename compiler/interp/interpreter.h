#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hir/design.h"
#include "interp/foreign.h"

namespace smec::interp {

/// The options of the generated simulator that the interpreter knows; the rest is refused by name.
/// Parses argv-style options (without the program name) and runs. Returns the exit status of
/// CLI.md. Prints traces and results to stdout, failure reports to stderr, in the same texts as the
/// runtime. `foreign`: of designs that name C++ with `extern`.
int run(const hir::Design& design, const SourceManager& sources,
        const std::vector<std::string>& arguments, const ForeignCode* foreign = nullptr);

}  // namespace smec::interp
