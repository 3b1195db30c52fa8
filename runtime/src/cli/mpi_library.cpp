#include "cli/mpi_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "engine/mpi_table.h"

namespace sme {
namespace {

constexpr const char* kOpenMpi = "libsme_mpi_openmpi.so";
constexpr const char* kMpich = "libsme_mpi_mpich.so";

unsigned numberIn(const char* variable, unsigned otherwise) {
    const char* text = std::getenv(variable);
    if (!text || *text == '\0') return otherwise;
    char* end = nullptr;
    const unsigned long number = std::strtoul(text, &end, 10);
    return *end == '\0' ? static_cast<unsigned>(number) : otherwise;
}

/// Tasks of a step on this node, of "2(x3),1", which has the numbers of all nodes.
unsigned tasksHere(const char* text, unsigned otherwise) {
    const unsigned node = numberIn("SLURM_NODEID", 0);
    unsigned passed = 0;
    while (text && *text != '\0') {
        char* end = nullptr;
        const unsigned long tasks = std::strtoul(text, &end, 10);
        if (end == text) break;
        unsigned long nodes = 1;
        if (end[0] == '(' && end[1] == 'x') nodes = std::strtoul(end + 2, &end, 10);
        if (*end == ')') ++end;
        passed += static_cast<unsigned>(nodes);
        if (node < passed) return static_cast<unsigned>(tasks);
        text = *end == ',' ? end + 1 : end;
    }
    return otherwise;
}

std::optional<unsigned> placeIn(const char* variable) {
    if (std::getenv(variable) == nullptr) return std::nullopt;
    return numberIn(variable, 0);
}

/// What srun tells of the tasks that it started, where something else says that they are ranks.
struct Step {
    unsigned size = numberIn("SLURM_STEP_NUM_TASKS", 1);
    unsigned sizeHere = tasksHere(std::getenv("SLURM_STEP_TASKS_PER_NODE"), size);
};

}  // namespace

Launcher findLauncher() {
    if (const unsigned size = numberIn("OMPI_COMM_WORLD_SIZE", 0); size > 0)
        return {kOpenMpi,
                "Open MPI",
                numberIn("OMPI_COMM_WORLD_RANK", 0),
                size,
                numberIn("OMPI_COMM_WORLD_LOCAL_SIZE", size),
                placeIn("OMPI_COMM_WORLD_LOCAL_RANK")};
    const Step step;
    if (std::getenv("PMI_RANK") != nullptr) {
        if (const unsigned size = numberIn("PMI_SIZE", 0); size > 0)
            return {kMpich,
                    "MPICH",
                    numberIn("PMI_RANK", 0),
                    size,
                    numberIn("MPI_LOCALNRANKS", size == step.size ? step.sizeHere : size),
                    placeIn(std::getenv("MPI_LOCALRANKID") ? "MPI_LOCALRANKID" : "SLURM_LOCALID")};
        return {};
    }
    // srun --mpi=pmix, for Open MPI without mpirun
    if (std::getenv("PMIX_RANK") != nullptr && step.size > 1)
        return {kOpenMpi,  "Open MPI",    numberIn("PMIX_RANK", 0),
                step.size, step.sizeHere, placeIn("SLURM_LOCALID")};
    return {};
}

void endLaunched(int status) {
    const unsigned file = numberIn("PMI_FD", 0);  // a connection to the launcher, for MPI
    if (file == 0) return;
    const std::string request = "cmd=abort exitcode=" + std::to_string(status) + "\n";
    // where it is not heard, the rank ends all the same
    [[maybe_unused]] const ssize_t written =
        write(static_cast<int>(file), request.data(), request.size());
}

/// Where the simulator was told to look when it was linked (beside the runtime), and where the
/// system looks. The library stays: MPI leaves threads and handlers behind.
bool MpiLibrary::load(const char* name, std::string& problem) {
    void* library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        problem += (problem.empty() ? "" : "; ") + std::string(dlerror());
        return false;
    }
    using Get = const MpiTable* (*)();
    const auto get = reinterpret_cast<Get>(dlsym(library, "sme_mpi_table"));
    table_ = get ? get() : nullptr;
    if (table_ && table_->version == kMpiTableVersion) return true;
    table_ = nullptr;
    problem += (problem.empty() ? "" : "; ") + std::string(name) + " is of another version";
    return false;
}

MpiLibrary::MpiLibrary(const Launcher& launcher) {
    std::string problem;
    bool isLoaded = false;
    if (launcher.library)
        isLoaded = load(launcher.library, problem);
    else
        isLoaded = load(kOpenMpi, problem) || load(kMpich, problem);
    if (!isLoaded)
        throw NoMpi(ErrorKind::Usage, (launcher.name ? std::string("a launcher of ") + launcher.name
                                                           + " started this, but "
                                                     : std::string("--ranks mpi: "))
                                          + "the library for it cannot be loaded: " + problem);
    transport_ = table_->open();
    if (!transport_) wrongUsage("MPI cannot be initialised");
    const unsigned size = transport_->size();
    if (launcher.size == size) return;
    table_->close(transport_);
    wrongUsage(std::string("the launcher started ") + std::to_string(launcher.size)
               + " processes, but MPI knows of " + std::to_string(size) + ": this simulator loaded "
               + (launcher.library ? launcher.library : "a library")
               + ", and the launcher is one of another MPI, which needs "
               + (launcher.library == std::string(kMpich) ? kOpenMpi : kMpich)
               + "; start it with the mpirun of the same MPI");
}

MpiLibrary::~MpiLibrary() { table_->close(transport_); }

}  // namespace sme
