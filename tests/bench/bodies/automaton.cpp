// The machine of automaton.sme by hand.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned segmentCells = 32, rule = 30;

static bool aliveAtFirst(uint32_t k, uint32_t seed) {
    uint32_t h = (k + seed) * 0x9E3779B1u;
    h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
    return (h >> 15) % 2 == 1;
}

struct Statistics {
    uint64_t population = 0, check = 0;
    unsigned least = segmentCells, most = 0, before = 0;
    uint32_t grown = 0;

    void step(const uint8_t* cells) {
        unsigned living = cells[0], borders = 0;
        for (unsigned k = 1; k < segmentCells; ++k) {
            living += cells[k];
            borders += cells[k] != cells[k - 1];
        }
        population += living;
        if (living != 0) least = std::min(least, living);
        most = std::max(most, living);
        if (living > before) ++grown;
        before = living;
        check = check * 7 + living * 64 + borders;
    }
};

int main(int argc, char** argv) {
    const unsigned n = argc > 1 ? atoi(argv[1]) : 4;
    const uint64_t cycles = argc > 2 ? atoll(argv[2]) : 1000;
    const unsigned all = n * segmentCells;
    std::vector<Statistics> statistics(n);
    std::vector<uint8_t> now(all), next(all);
    for (unsigned k = 0; k < all; ++k)
        next[k] = aliveAtFirst(k, 77);

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        for (unsigned i = 0; i < n; ++i)
            statistics[i].step(&now[i * segmentCells]);
        if (cycle > 0) {
            for (unsigned k = 0; k < all; ++k) {
                const unsigned left = now[k == 0 ? all - 1 : k - 1],
                               right = now[k + 1 == all ? 0 : k + 1];
                next[k] = rule >> (left << 2 | now[k] << 1 | right) & 1;
            }
        }
        now.swap(next);
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t population = 0, least = 0, most = 0, grown = 0, check = 0;
    for (const Statistics& s : statistics) {
        population += s.population;
        least += s.least;
        most += s.most;
        grown += s.grown;
        check += s.check;
    }
    printf("population %lu least %lu most %lu grown %lu check %lu\n", population, least, most,
           grown, check);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
