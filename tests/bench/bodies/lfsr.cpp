// The machine of lfsr.sme by hand.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned kinds = 8, places = 8;
constexpr unsigned widths[kinds] = {7, 9, 10, 11, 15, 17, 23, 31};
constexpr unsigned firsts[kinds] = {6, 8, 9, 10, 14, 16, 22, 30};
constexpr unsigned taps[kinds] = {5, 4, 6, 8, 13, 13, 17, 27};

struct Shift {
    uint32_t state, mask;
    uint8_t first, second;

    uint32_t step() {
        const uint32_t bit = (state >> first ^ state >> second) & 1;
        state = (state << 1 | bit) & mask;
        return state;
    }
};

struct Runs {
    bool above;
    uint16_t length, longest;
    uint32_t count, ones, histogram[places], spread;
    uint64_t check;

    void step(bool now) {
        ones += now;
        if (now == above) {
            ++length;
            return;
        }
        ++count;
        longest = std::max(longest, length);
        if (length != 0) ++histogram[std::min<unsigned>(length, places) - 1];
        check = check * 3 + length;
        spread = 0;
        for (unsigned k = 0; k + 1 < places; ++k)
            if (histogram[k] > histogram[k + 1]) ++spread;
        above = now;
        length = 1;
    }
};

struct Unit {
    Shift shift;
    Runs runs;
    uint32_t level, value;
    bool answer;
};

int main(int argc, char** argv) {
    const unsigned n = argc > 1 ? atoi(argv[1]) : 16;
    const uint64_t cycles = argc > 2 ? atoll(argv[2]) : 1000;
    std::vector<Unit> units(n);
    for (unsigned i = 0; i < n; ++i) {
        const unsigned kind = i % kinds;
        Unit& u = units[i];
        const uint32_t highest = (uint32_t(1) << widths[kind]) - 1;
        u.shift = {uint32_t((i + 1) * uint64_t(2654435761)) % highest + 1, highest,
                   uint8_t(firsts[kind]), uint8_t(taps[kind])};
        u.level = highest / 4 * (1 + i / kinds % 3);
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        // From the end to the beginning, so that each sees what was written in the cycle before.
        for (Unit& u : units) {
            u.runs.step(u.answer);
            u.answer = u.value > u.level;
            u.value = u.shift.step();
        }
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t count = 0, ones = 0, longest = 0, spread = 0, check = 0;
    for (const Unit& u : units) {
        count += u.runs.count;
        ones += u.runs.ones;
        longest += u.runs.longest;
        spread += u.runs.spread;
        check += u.runs.check;
    }
    printf("count %lu ones %lu longest %lu spread %lu check %lu\n", count, ones, longest, spread,
           check);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
