// Units that count samples in histograms of 64 bins and answer queries, as histogram.sme has them.
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr uint32_t binCount = 64;

uint32_t xorshift(uint32_t x) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

struct Sample {
    bool valid;
    uint8_t value;
};

struct Report {
    bool valid, median;
    uint8_t bin;
};

struct Source {
    uint32_t dice;
    int mean;

    Sample step() {
        dice = xorshift(dice);
        if (dice % 256 == 0) mean = std::min(mean + 1, 40);
        if (dice % 256 == 1) mean = std::max(mean - 1, 0);
        const uint32_t noise = (dice >> 10 & 7) + (dice >> 13 & 7) + (dice >> 16 & 7);
        return {(dice >> 8 & 3) != 0, uint8_t(mean + noise)};
    }
};

struct Histogram {
    enum class State : uint8_t { Count, Maximum, Median, Clear } state;
    uint16_t bins[binCount];
    uint8_t queries, place, best;
    uint16_t wanted, highest;
    uint32_t total, below, dice;
    uint32_t counted, lost, cleared;

    Report step(Sample sample) {
        if (state == State::Count) {
            if (wanted == 0) {
                choose();
            } else if (sample.valid) {
                ++bins[sample.value];
                ++total;
                ++counted;
                --wanted;
            }
            return {};
        }
        lost += sample.valid;
        switch (state) {
        case State::Maximum: return maximum();
        case State::Median: return median();
        default: clear(); return {};
        }
    }

    void choose() {
        dice = xorshift(dice);
        wanted = 100 + (dice & 511);
        place = 0;
        highest = 0;
        below = 0;
        if (queries == 7) {
            queries = 0;
            state = State::Clear;
        } else {
            ++queries;
            state = dice >> 9 & 1 ? State::Maximum : State::Median;
        }
    }

    Report maximum() {
        if (bins[place] > highest) {
            highest = bins[place];
            best = place;
        }
        if (++place < binCount) return {};
        state = State::Count;
        return {true, false, best};
    }

    Report median() {
        below += bins[place];
        const uint8_t bin = place++;
        if (below * 2 < total) return {};
        state = State::Count;
        return {true, true, bin};
    }

    void clear() {
        bins[place] = 0;
        if (++place < binCount) return;
        total = 0;
        ++cleared;
        state = State::Count;
    }
};

struct Reader {
    uint32_t maxima, medians, sum;

    void step(Report answer) {
        if (!answer.valid) return;
        if (answer.median)
            ++medians;
        else
            ++maxima;
        sum = sum * 31 + answer.bin;
    }
};

struct Unit {
    Source source;
    Histogram histogram;
    Reader reader;
    Sample sample;
    Report answer;

    void step() {
        reader.step(answer);
        answer = histogram.step(sample);
        sample = source.step();
    }
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 32;
    const uint64_t cycles = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1000;
    std::vector<Unit> units(n);
    for (uint32_t i = 0; i < n; ++i) {
        units[i].source.dice = (i + 1) * 2654435761u;
        units[i].source.mean = 20;
        units[i].histogram.dice = 4294967295u - units[i].source.dice;
        units[i].histogram.wanted = 100;
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle)
        for (Unit& unit : units)
            unit.step();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t counted = 0, lost = 0, cleared = 0, maxima = 0, medians = 0, sum = 0;
    for (const Unit& unit : units) {
        counted += unit.histogram.counted;
        lost += unit.histogram.lost;
        cleared += unit.histogram.cleared;
        maxima += unit.reader.maxima;
        medians += unit.reader.medians;
        sum += unit.reader.sum;
    }
    printf("counted %" PRIu64 " lost %" PRIu64 " cleared %" PRIu64 " maxima %" PRIu64
           " medians %" PRIu64 " sum %" PRIu64 "\n",
           counted, lost, cleared, maxima, medians, sum);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
