#pragma once

#include <string>

#include "interp/run.h"

namespace smec::interp {

/// Keeps the state of a run in a file; what was printed before is synced. The file is replaced at
/// once. Throws RunError.
void keepCheckpoint(const std::string& path, Run& run);

/// Goes on from the state in a file. What was printed after it was kept is taken back where
/// standard output is still the same file. Throws RunError.
void resume(const std::string& path, Run& run);

}  // namespace smec::interp
