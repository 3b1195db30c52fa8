#pragma once

#include <cstdint>
#include <string>

#include "formats/checkpoint_file.h"
#include "formats/file_claim.h"
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

    /// Nobody else may keep a state there from now on. Before the run; by the one rank that writes.
    FileProblem claim();
    /// The first cycle after `cycle` before which a state is to be kept; ~0: there is none.
    std::uint64_t next(std::uint64_t cycle) const;
    /// The outputs of the run are written out and synced before. Where one cannot be, which the
    /// run says at its end, the file stays as it is.
    FileProblem keep(Run& run);
    /// What has been printed so far is on the disk, as what is traced is.
    void syncPrinted() const;
    /// The file, at once.
    FileProblem write(std::string_view text);
    const std::string& path() const { return path_; }

private:
    const std::string path_;
    const std::uint64_t every_;
    const int descriptor_;
    FileClaim claim_;
};

/// What is said where a state cannot be written.
FileProblem cannotKeep(const std::string& path, const std::string& why);

}  // namespace sme
