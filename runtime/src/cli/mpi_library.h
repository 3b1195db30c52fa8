#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/transport.h"
#include "output/error.h"

namespace sme {

struct MpiTable;

/// Whether a launcher started this process as one of several, and which MPI is its. Batch variables
/// of a queue (Slurm's) alone mean nothing.
struct Launcher {
    const char* library = nullptr;  ///< null: none
    const char* name = nullptr;     ///< of the MPI
    unsigned rank = 0;
    unsigned size = 1;
    unsigned sizeHere = 1;               ///< processes on this machine
    std::optional<unsigned> rankHere{};  ///< which one of them; none: it is not said
};
Launcher findLauncher();

/// The launcher's library is not there: this rank cannot tell others anything.
class NoMpi final : public Error {
public:
    using Error::Error;
};

/// Before MPI is there: asks the launcher to end all ranks with a status. That of MPICH would let
/// the others wait for this one; that of Open MPI sees how it ends.
void endLaunched(int status);

/// MPI, as long as it lives. One at a time in a process.
class MpiLibrary {
public:
    /// Loads the launcher's library, or where there is no launcher any that is there. Throws NoMpi
    /// that says what is missing, and where it was looked for, and Error (Usage).
    explicit MpiLibrary(const Launcher& launcher);
    ~MpiLibrary();
    MpiLibrary(const MpiLibrary&) = delete;
    MpiLibrary& operator=(const MpiLibrary&) = delete;

    Transport& transport() { return *transport_; }

private:
    bool load(const char* name, std::string& problem);

    const MpiTable* table_ = nullptr;
    Transport* transport_ = nullptr;
};

}  // namespace sme
