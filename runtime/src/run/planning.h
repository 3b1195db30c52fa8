#pragma once

#include <string>

#include "engine/config.h"
#include "run/run_options.h"
#include "schedule/machine.h"

namespace sme {

/// What the options of a run mean on this machine.
EngineConfig configOf(const Model& model, const RunOptions& options, const Machine& machine);

/// Empty, or what is said about threads that spin for others.
std::string warningOf(const RunOptions& options, const Machine& machine);

/// Why so many threads run, where nobody measured it.
std::string whyThreads(const RunOptions& options, const Machine& machine, unsigned running);

/// Throws Error (Usage) where options contradict one another or the model.
void checkOptions(const Model& model, const RunOptions& options);

}  // namespace sme
