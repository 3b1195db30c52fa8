// The machine of life.sme by hand.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static uint32_t random(uint32_t x, uint32_t y) {
    uint32_t h = (x * 1000 + y + 1) * 0x9E3779B1u;
    h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
    return h >> 12;
}

struct Cell {
    uint16_t age;
    uint32_t births, deaths, check;
};

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 16;
    const uint64_t cycles = argc > 2 ? atoll(argv[2]) : 1000;
    // The boards have a rim of dead cells.
    const int width = n + 2;
    std::vector<Cell> cells(n * n);
    std::vector<uint8_t> now(width * width), next(width * width);
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x)
            now[(y + 1) * width + x + 1] = random(x, y) % 3 == 0;
    uint32_t state = 2463534242u;
    int rayX = 0, rayY = 0;

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        for (int y = 0; y < n; ++y) {
            for (int x = 0; x < n; ++x) {
                const uint8_t* c = &now[(y + 1) * width + x + 1];
                const int neighbours = c[-width - 1] + c[-width] + c[-width + 1] + c[-1] + c[1]
                                       + c[width - 1] + c[width] + c[width + 1];
                const bool alive = *c;
                const bool then = neighbours == 3 || (neighbours == 2 && alive)
                                  || (y == rayY && std::abs(x - rayX) <= 1);
                Cell& s = cells[y * n + x];
                ++s.age;
                if (then && !alive) {
                    ++s.births;
                    s.age = 0;
                } else if (alive && !then) {
                    ++s.deaths;
                    s.check = s.check * 3 + s.age;
                    s.age = 0;
                }
                next[(y + 1) * width + x + 1] = then;
            }
        }
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        rayX = (state & 65535) % n;
        rayY = (state >> 16) % n;
        now.swap(next);
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t births = 0, deaths = 0, age = 0, check = 0;
    for (const Cell& s : cells) {
        births += s.births;
        deaths += s.deaths;
        age += s.age;
        check += s.check;
    }
    printf("births %lu deaths %lu age %lu check %lu\n", births, deaths, age, check);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
