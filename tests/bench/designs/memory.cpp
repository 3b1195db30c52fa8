// N processes with M words each, of which one is changed a cycle.
#include "limit.hpp"

static u32* words;
static u32 at[N];

static void step(const u32* __restrict in, u32* __restrict out) {
    for (std::size_t i = 0; i < N; ++i) {
        u32* __restrict word = words + i * M + at[i];
        u32 t = *word ^ (in[i == 0 ? N - 1 : i - 1] + at[i]);
        for (int k = 0; k < WORK; ++k)
            t = t * 1664525 + 1013904223;
        *word = out[i] = t;
        at[i] = (at[i] + GAP) % M;
    }
}

int main(int argc, char** argv) {
    words = zeroed<u32>(std::size_t{N} * M);
    for (std::size_t i = 0; i < N; ++i)
        at[i] = i * 5 % M;
    const u32* end = twoBuffers(cyclesOf(argc, argv), zeroed<u32>(N), zeroed<u32>(N), step);
    for (const std::size_t i : {0, N / 2, N - 1})
        printResult(std::uint64_t{end[i]});
}
