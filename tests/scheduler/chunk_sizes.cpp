// chunk_sizes N P: a line for each scheme, its name and the sizes of its chunks for N process
// instances and P threads; pls with half of the list dealt statically.

#include <cstdio>
#include <cstdlib>

#include "lab/chunks.h"

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const auto total = static_cast<std::uint64_t>(std::atoll(argv[1]));
    const auto threads = static_cast<unsigned>(std::atoi(argv[2]));
    const char* names[] = {"static", "ss",   "gss", "tss", "fac2", "tfss",
                           "fiss",   "viss", "pls", "pss", "mfsc", "mstatic"};
    for (std::size_t i = 0; i < std::size(names); ++i) {
        const auto scheme = static_cast<sme::ChunkScheme>(i);
        const bool isShared = scheme == sme::ChunkScheme::PerformanceLoop;
        std::printf("%s", names[i]);
        for (const std::uint64_t size :
             sme::chunkSizes({scheme, isShared ? 0.5 : 0, 1}, total, threads))
            std::printf(" %llu", static_cast<unsigned long long>(size));
        std::printf("\n");
    }
}
