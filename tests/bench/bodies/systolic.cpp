// The machine of systolic.sme by hand.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Element {
    int32_t sum, largest;
    uint32_t results;
    uint64_t check;
};

struct Row {
    int16_t v;
    bool first;
};

struct Feeder {
    uint32_t state;
    unsigned k;

    uint32_t random() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return state;
    }
};

int main(int argc, char** argv) {
    const unsigned n = argc > 1 ? atoi(argv[1]) : 4;
    const uint64_t cycles = argc > 2 ? atoll(argv[2]) : 1000;
    std::vector<Element> elements(n * n);
    std::vector<Feeder> left(n), above(n);
    std::vector<Row> rows[2] = {std::vector<Row>(n * (n + 1)), std::vector<Row>(n * (n + 1))};
    std::vector<int16_t> columns[2] = {std::vector<int16_t>((n + 1) * n),
                                       std::vector<int16_t>((n + 1) * n)};
    for (unsigned i = 0; i < n; ++i) {
        left[i].state = uint32_t((2 * i + 1) * uint64_t(2654435761));
        above[i].state = uint32_t((2 * i + 2) * uint64_t(2654435761));
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        const int now = cycle & 1, next = now ^ 1;
        for (unsigned i = 0; i < n && i <= cycle; ++i) {
            Feeder& l = left[i];
            rows[next][i * (n + 1)] = {int16_t(l.random()), l.k == 0};
            l.k = l.k == n - 1 ? 0 : l.k + 1;
            columns[next][i] = int16_t(above[i].random() >> 16);
        }
        for (unsigned y = 0; y < n; ++y) {
            const Row* west = &rows[now][y * (n + 1)];
            Row* east = &rows[next][y * (n + 1) + 1];
            const int16_t* north = &columns[now][y * n];
            int16_t* south = &columns[next][(y + 1) * n];
            for (unsigned x = 0; x < n; ++x) {
                Element& e = elements[y * n + x];
                if (west[x].first) {
                    e.largest = std::max(e.largest, e.sum);
                    e.check = e.check * 5 + uint32_t(e.sum);
                    ++e.results;
                    e.sum = 0;
                }
                e.sum = int32_t(uint32_t(e.sum) + uint32_t(west[x].v * north[x]));
                east[x] = west[x];
                south[x] = north[x];
            }
        }
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t results = 0, largest = 0, check = 0, sum = 0;
    for (const Element& e : elements) {
        results += e.results;
        largest += e.largest;
        check += e.check;
        sum += uint64_t(int64_t(e.sum));
    }
    printf("results %lu largest %lu check %lu sum %lu\n", results, largest, check, sum);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
