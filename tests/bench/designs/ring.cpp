// N processes out = in + 1 in a ring: one loop over two buffers.
#include "limit.hpp"

static void step(const u32* __restrict in, u32* __restrict out) {
    out[0] = in[N - 1] + 1;
    for (std::size_t i = 1; i < N; ++i)
        out[i] = in[i - 1] + 1;
}

int main(int argc, char** argv) { ring(N, cyclesOf(argc, argv), step); }
