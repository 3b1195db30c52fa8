// N pipelines of 100, a stage of all of them beside each other, so that one loop moves everything
// by one stage. All of them run.
#include "limit.hpp"

static u32 mixed(u32 x) {
    const u32 t = (x ^ (x >> 15)) * 0x2C1B3C6D;
    return t ^ (t >> 12);
}

static void step(const u32* __restrict in, u32* __restrict out) {
    for (std::size_t k = 0; k < N; ++k)
        out[k] = in[k] + (k % EVERY == 0 ? k + 1 : 0);
    for (std::size_t i = N; i < N * 100; ++i)
        out[i] = mixed(in[i - N]);
}

int main(int argc, char** argv) {
    const u32* end =
        twoBuffers(cyclesOf(argc, argv), zeroed<u32>(N * 100), zeroed<u32>(N * 100), step);
    for (const std::size_t i : {99 * N, 50 * N + N / 2, 99 * N + N - 1})
        printResult(std::uint64_t{end[i]});
}
