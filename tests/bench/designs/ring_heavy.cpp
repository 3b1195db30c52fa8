// N processes in a ring, each of which divides a double by 3 ROUNDS times a cycle, in the order a
// scalar program does it.
#include "limit.hpp"

#ifndef DIVISIONS
#define DIVISIONS(i) ROUNDS
#endif

static double rest[N];

static double divided(double t, long rounds) {
    for (long k = 0; k < rounds; ++k)
        t /= 3.0;
    return t;
}

static void step(const u32* __restrict in, u32* __restrict out) {
    for (long i = 0; i < N; ++i) {
        const u32 x = in[i == 0 ? N - 1 : i - 1];
        rest[i] = divided(533.63556434 + (x & 1), DIVISIONS(i));
        out[i] = x + 1;
    }
}

int main(int argc, char** argv) {
    ring(N, cyclesOf(argc, argv), step);
    printResult(rest[N / 2]);
}
