#pragma once

#include <string>

#include "formats/checkpoint_file.h"
#include "interp/run.h"

namespace smec::interp {

/// Keeps the state of a run in a file; what was printed and traced before is synced. The file is
/// replaced at once, or stays as it is where a trace cannot be written, which Run::endTraces() says.
/// Throws RunError.
void keepCheckpoint(const std::string& path, Run& run);

/// Goes on from the state in a file. `isEdited`: of what may be another design; what does not match
/// is told. Throws RunError.
sme::CheckpointFile resume(const std::string& path, Run& run, bool isEdited);

/// What was printed after the state was kept is taken back where standard output is still the same
/// file. Throws RunError.
void cutOutput(const sme::CheckpointFile& resumed);

}  // namespace smec::interp
