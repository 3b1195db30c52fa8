#include "mpi_problem.h"

#include <mpi.h>

#include <cstring>

namespace sme {
namespace {

/// MPI 3 has no class for a rank that is lost: these are what Open MPI and MPICH call it.
bool isOfConnection(int kind) {
    switch (kind) {
    case MPI_ERR_OTHER:
    case MPI_ERR_INTERN:
    case MPI_ERR_UNKNOWN:
    case MPI_ERR_IN_STATUS:
    case MPI_ERR_PENDING: return true;
    default: break;
    }
#ifdef MPIX_ERR_PROC_FAILED
    return kind == MPIX_ERR_PROC_FAILED;
#else
    return false;
#endif
}

}  // namespace

std::string textOfMpiProblem(int code, const std::string& others) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    const char* const end = std::strrchr(text, '\n');  // MPICH's outermost function first
    const std::string line = end ? end + 1 : text;
    int kind = MPI_ERR_UNKNOWN;
    MPI_Error_class(code, &kind);
    if (isOfConnection(kind)) return others + " cannot be reached: " + line;
    if (kind == MPI_ERR_NO_MEM) return "MPI has no memory left: " + line;
    if (kind == MPI_ERR_TRUNCATE) return "ranks do not agree about what they exchange: " + line;
    return "MPI refuses what it was asked: " + line;
}

}  // namespace sme
