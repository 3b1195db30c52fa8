#pragma once

#include <string>

#include "formats/checkpoint_file.h"
#include "formats/file_claim.h"
#include "interp/run.h"

namespace smec::interp {

/// The file of --checkpoint.
class Checkpoint {
public:
    explicit Checkpoint(std::string path) : path_(std::move(path)) {}
    /// Nobody else may keep a state there from now on. Throws RunError.
    void claim();
    /// Keeps the state of a run; what was printed and traced before is synced. The file is replaced
    /// at once, or stays as it is where a trace cannot be written, which Run::endTraces() says.
    /// Throws RunError.
    void keep(Run& run);

private:
    void throwIf(int why) const;
    const std::string path_;
    sme::FileClaim claim_;
};

/// Goes on from the state in a file. `isEdited`: of what may be another design; what does not match
/// is told. Throws RunError.
sme::CheckpointFile resume(const std::string& path, Run& run, bool isEdited);

}  // namespace smec::interp
