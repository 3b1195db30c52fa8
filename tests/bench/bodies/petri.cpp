// The Petri net of petri.sme: a ring of sections of five places and five transitions.
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Place {
    uint32_t dice;
    uint16_t tokens;
    bool offers;
    uint8_t choice;
    uint32_t arrived, taken, sum;

    bool offersTo(uint32_t transition) const { return offers && choice == transition; }

    void step(uint32_t in, uint32_t out, uint32_t choices) {
        tokens += in - out;
        arrived += in;
        taken += out;
        offers = tokens > 0;
        if (offers) {
            dice ^= dice << 13;
            dice ^= dice >> 17;
            dice ^= dice << 5;
            choice = dice % 4 == 0 ? choices - 1 : 0;
        }
        sum = sum * 31 + tokens;
    }
};

struct Section {
    Place first, upper, lower, high, idle;
    bool forked, moved, back, down, joined;

    void fire() {
        forked = first.offersTo(0);
        moved = upper.offersTo(0);
        back = lower.offersTo(1);
        down = high.offersTo(1);
        joined = lower.offersTo(0) && high.offersTo(0) && idle.offersTo(0);
    }

    void step(bool before) {
        first.step(before, forked, 1);
        upper.step(forked + back, moved, 1);
        lower.step(forked + down, joined + back, 2);
        high.step(moved, joined + down, 2);
        idle.step(forked, joined, 1);
    }
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 32;
    const uint64_t cycles = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1000;
    std::vector<Section> sections(n);
    for (uint32_t i = 0; i < n; ++i) {
        Section& s = sections[i];
        s.first.tokens = 1 + i % 3;
        uint32_t seed = 5 * i + 1;
        for (Place* place : {&s.first, &s.upper, &s.lower, &s.high, &s.idle})
            place->dice = seed++ * 2654435761u;
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        for (Section& section : sections)
            section.fire();
        bool before = sections[n - 1].joined;
        for (Section& section : sections) {
            section.step(before);
            before = section.joined;
        }
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t forks = 0, joins = 0, moves = 0, lower = 0, high = 0, sum = 0, waiting = 0;
    for (const Section& s : sections) {
        forks += s.first.taken;
        joins += s.idle.taken;
        moves += s.upper.taken;
        lower += s.lower.sum;
        high += s.high.sum;
        sum += s.first.sum;
        waiting += s.idle.sum;
    }
    printf("forks %" PRIu64 " joins %" PRIu64 " moves %" PRIu64 " lower %" PRIu64 " high %" PRIu64
           " sum %" PRIu64 " waiting %" PRIu64 "\n",
           forks, joins, moves, lower, high, sum, waiting);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
