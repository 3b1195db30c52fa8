#pragma once

#include <string>
#include <vector>

#include "interp/run.h"

namespace smec::interp {

/// The command line of a run: argv-style options of sme/options.h, without the program name.
/// Returns the exit status. Prints traces and results to stdout, failure reports to
/// stderr, in the same texts as the runtime.
int run(const InterpretedDesign& design, const std::vector<std::string>& arguments);

}  // namespace smec::interp
