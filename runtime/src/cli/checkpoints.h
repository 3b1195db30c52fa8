#pragma once

#include <cstdint>
#include <string>

#include "formats/checkpoint_file.h"
#include "output/file_problem.h"
#include "run/run.h"

namespace sme {

/// Keeps the state of a run in a file, now and then and at its end. Whoever is killed leaves the
/// file before or the new one, and never a part.
class Checkpoints {
public:
    /// `every`: cycles between two states; 0: one at the end. `descriptor`: of standard output; -1:
    /// it is not the process's.
    Checkpoints(std::string path, std::uint64_t every, int descriptor)
        : path_(std::move(path)), every_(every), descriptor_(descriptor) {}

    /// The first cycle after `cycle` before which a state is to be kept; ~0: there is none.
    std::uint64_t next(std::uint64_t cycle) const;
    /// The outputs of the run are written out and synced before. Where one cannot be, which the
    /// run says at its end, the file stays as it is.
    FileProblem keep(Run& run) const;
    const std::string& path() const { return path_; }
    int descriptor() const { return descriptor_; }

private:
    const std::string path_;
    const std::uint64_t every_;
    const int descriptor_;
};

/// What is said where a state cannot be written.
FileProblem cannotKeep(const std::string& path, const std::string& why);

}  // namespace sme
