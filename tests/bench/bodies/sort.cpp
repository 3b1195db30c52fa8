// The machine of sort.sme by hand.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

struct Item {
    uint16_t key, home, moves;
};

struct Sink {
    uint64_t moves, check;
    uint32_t stayed, equal;
};

int main(int argc, char** argv) {
    const unsigned n = argc > 1 ? atoi(argv[1]) : 8;
    const uint64_t cycles = argc > 2 ? atoll(argv[2]) : 1000;
    std::vector<uint32_t> states(n);
    std::vector<Sink> sinks(n);
    std::vector<std::vector<Item>> now(n + 1, std::vector<Item>(n)),
        next = now;  // a row of items in front of each stage
    for (unsigned k = 0; k < n; ++k)
        states[k] = uint32_t((k + 1) * uint64_t(2654435761));

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        for (unsigned k = 0; k < n; ++k) {
            uint32_t& state = states[k];
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            next[0][k] = {uint16_t(state >> 16), uint16_t(k), 0};
        }
        for (unsigned s = 0; s < n; ++s) {
            const std::vector<Item>& in = now[s];
            std::vector<Item>& out = next[s + 1];
            unsigned k = s % 2;
            if (k == 1) out[0] = in[0];
            for (; k + 1 < n; k += 2) {
                Item small = in[k], large = in[k + 1];
                if (small.key > large.key) {
                    std::swap(small, large);
                    ++small.moves;
                    ++large.moves;
                }
                out[k] = small;
                out[k + 1] = large;
            }
            if (k < n) out[k] = in[k];
        }
        if (cycle > n) {
            const std::vector<Item>& result = now[n];
            for (unsigned k = 0; k < n; ++k) {
                const Item& x = result[k];
                Sink& s = sinks[k];
                s.moves += x.moves;
                if (x.home == k) ++s.stayed;
                if (k > 0) {
                    if (x.key < result[k - 1].key) abort();
                    if (x.key == result[k - 1].key) ++s.equal;
                }
                s.check = s.check * 3 + x.key * 8 + x.home;
            }
        }
        now.swap(next);
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t moves = 0, stayed = 0, equal = 0, check = 0;
    for (const Sink& s : sinks) {
        moves += s.moves;
        stayed += s.stayed;
        equal += s.equal;
        check += s.check;
    }
    printf("moves %lu stayed %lu equal %lu check %lu\n", moves, stayed, equal, check);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
