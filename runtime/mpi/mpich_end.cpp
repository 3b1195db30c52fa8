#include "mpich_end.h"

#include <mpi.h>
#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace sme {

#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40200000

namespace {

bool areOnSeveralMachines() {
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    int countHere = 0;
    int countAll = 0;
    MPI_Comm_size(here, &countHere);
    MPI_Comm_size(MPI_COMM_WORLD, &countAll);
    MPI_Comm_free(&here);
    return countHere < countAll;
}

/// What MPICH and its launcher say to each other (PMI 1): a line each.
class LauncherLine {
public:
    explicit LauncherLine(int file) : file_(file) {}

    /// Messages between ranks are carried on until the answer is there.
    bool ask(std::string_view request, std::string_view answer) {
        if (write(file_, request.data(), request.size()) != static_cast<ssize_t>(request.size()))
            return false;
        std::string line;
        int waited = 0;
        while (line.empty() || line.back() != '\n') {
            pollfd wanted{file_, POLLIN, 0};
            if (poll(&wanted, 1, kPauseMs) <= 0) {
                if (++waited > kMostPauses) return false;  // it speaks otherwise (PMI 2)
                int isThere = 0;
                MPI_Iprobe(MPI_ANY_SOURCE, kNoTag, MPI_COMM_WORLD, &isThere, MPI_STATUS_IGNORE);
                continue;
            }
            char next = 0;
            if (read(file_, &next, 1) != 1) return false;
            line += next;
        }
        return line.compare(0, answer.size(), answer) == 0;
    }

private:
    static constexpr int kPauseMs = 1;
    static constexpr int kMostPauses = 10'000;
    static constexpr int kNoTag = 77;  // nobody sends it

    int file_;
};

}  // namespace

bool endByLauncher() {
    const char* const file = std::getenv("PMI_FD");
    if (!file || !areOnSeveralMachines()) return false;
    MPI_Barrier(MPI_COMM_WORLD);
    LauncherLine launcher(std::atoi(file));
    return launcher.ask("cmd=barrier_in\n", "cmd=barrier_out")
           && launcher.ask("cmd=finalize\n", "cmd=finalize_ack");
}

#else

bool endByLauncher() { return false; }

#endif

}  // namespace sme
