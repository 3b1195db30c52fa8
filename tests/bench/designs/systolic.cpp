// systolic.sme by hand: the factors and sums of all cells in arrays, a loop over each row of cells,
// two buffers. K: rows and columns. Prints result0 ... result2 as systolic.sme names them.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#ifndef K
#define K 16
#endif

namespace {

// Factors of a cycle: in row i, west[i][j] comes from the west of cell j, north[i][j] from its
// north.
struct Links {
    std::array<std::array<std::uint16_t, K + 1>, K> west{};
    std::array<std::array<std::uint16_t, K>, K + 1> north{};
};

Links links[2];
std::array<std::array<std::uint32_t, K>, K> sums{};
std::array<std::uint16_t, K> rowFeed, columnFeed;

void cells(const Links& now, Links& next) {
    for (int i = 0; i < K; ++i) {
        const std::uint16_t* __restrict west = now.west[i].data();
        const std::uint16_t* __restrict north = now.north[i].data();
        std::uint16_t* __restrict east = next.west[i].data() + 1;
        std::uint16_t* __restrict south = next.north[i + 1].data();
        std::uint32_t* __restrict sum = sums[i].data();
        for (int j = 0; j < K; ++j) {
            sum[j] += std::uint32_t(west[j]) * north[j];
            east[j] = west[j];
            south[j] = north[j];
        }
    }
}

void feeds(Links& next) {
    const auto step = [](std::uint16_t x) { return std::uint16_t(x >> 1 ^ (-(x & 1) & 0xD008)); };
    for (int i = 0; i < K; ++i) {
        next.west[i][0] = rowFeed[i];
        rowFeed[i] = step(rowFeed[i]);
    }
    for (int i = 0; i < K; ++i) {
        next.north[0][i] = columnFeed[i];
        columnFeed[i] = step(columnFeed[i]);
    }
}

}  // namespace

int main(int, char** argv) {
    const long cycles = std::atol(argv[1]);
    for (int i = 0; i < K; ++i) {
        rowFeed[i] = std::uint16_t((i * 40503L + 1) % 65535 + 1);
        columnFeed[i] = std::uint16_t((i * 30011L + 7) % 65535 + 1);
    }
    const auto start = std::chrono::steady_clock::now();
    for (long cycle = 0; cycle < cycles; ++cycle) {
        cells(links[cycle & 1], links[~cycle & 1]);
        feeds(links[~cycle & 1]);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("result %u\nresult %u\nresult %u\n", sums[K - 1][K - 1], sums[K / 2][K / 3],
                sums[0][0]);
    std::printf("seconds %.6f\n", took.count());
}
