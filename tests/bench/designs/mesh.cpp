// A torus of N × N means of four: two buffers, a row at a time, its two ends by themselves.
#include "limit.hpp"

static u32 mean(u32 a, u32 b, u32 c, u32 d) { return (a + b + c + d) >> 2; }

static void stepRow(const u32* __restrict north, const u32* __restrict south,
                    const u32* __restrict row, u32* __restrict out) {
    out[0] = mean(north[0], south[0], row[1], row[N - 1]);
    for (std::size_t c = 1; c < N - 1; ++c)
        out[c] = mean(north[c], south[c], row[c + 1], row[c - 1]);
    out[N - 1] = mean(north[N - 1], south[N - 1], row[0], row[N - 2]);
}

static void step(const u32* __restrict in, u32* __restrict out) {
    for (std::size_t r = 0; r < N; ++r)
        stepRow(in + (r == 0 ? N - 1 : r - 1) * N, in + (r == N - 1 ? 0 : r + 1) * N, in + r * N,
                out + r * N);
}

int main(int argc, char** argv) {
    auto *a = zeroed<u32>(N * N), *b = zeroed<u32>(N * N);
    for (std::size_t r = 0; r < N; r += 4)
        for (std::size_t c = 0; c < N; c += 4)
            a[r * N + c] = 0x01000000;
    const u32* end = twoBuffers(cyclesOf(argc, argv), a, b, step);
    for (const std::size_t i : {0, N / 2 * N + N / 2 + 1, N * N - 1, 3 * N + N / 3})
        printResult(std::uint64_t{end[i]});
}
