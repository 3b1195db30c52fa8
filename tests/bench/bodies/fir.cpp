// The machine of fir.sme by hand.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int taps = 16;

static uint32_t mixed(uint32_t a, uint32_t b) {
    uint32_t h = a * 2654435761u + b * 40503u + 12345u;
    h = (h ^ (h >> 15)) * 2246822519u;
    h = (h ^ (h >> 13)) * 3266489917u;
    return h ^ (h >> 16);
}

struct Source {
    uint32_t state;
    uint8_t period, t;
    bool high;

    int16_t step() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        if (++t == period) {
            t = 0;
            high = !high;
        }
        return int16_t(int(state & 8191) - 4096 + (high ? 12000 : -12000));
    }
};

struct Filter {
    int16_t delayed[taps], c[taps];

    int16_t step(int16_t x) {
        for (int i = taps - 1; i > 0; --i)
            delayed[i] = delayed[i - 1];
        delayed[0] = x;
        int64_t sum = 0;
        for (int i = 0; i < taps; ++i)
            sum += int32_t(delayed[i]) * c[i];
        return int16_t(std::clamp<int64_t>(sum >> 15, -32768, 32767));
    }
};

struct Meter {
    uint16_t peak;
    uint64_t energy;
    uint32_t crossings, check;
    bool negative;

    void step(int16_t y) {
        peak = std::max<int>(peak, std::abs(int(y)));
        energy += int(y) * y;
        if ((y < 0) != negative) ++crossings;
        negative = y < 0;
        check = check * 31 + uint16_t(y);
    }
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? atoi(argv[1]) : 8;
    const uint64_t cycles = argc > 2 ? atoll(argv[2]) : 1000;
    std::vector<Source> sources(n);
    std::vector<Filter> filters(n);
    std::vector<Meter> meters(n);
    std::vector<int16_t> xs(n), ys(n);
    for (uint32_t i = 0; i < n; ++i) {
        sources[i].period = 5 + i % 40;
        sources[i].state = mixed(i, 99) / 2 + 1;
        for (int k = 0; k < taps; ++k)
            filters[i].c[k] = int16_t(mixed(i, k) % 8192) - 4096;
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        // From the end to the beginning, so that each sees what was written in the cycle before.
        for (uint32_t i = 0; i < n; ++i) {
            meters[i].step(ys[i]);
            ys[i] = filters[i].step(xs[i]);
            xs[i] = sources[i].step();
        }
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t peak = 0, energy = 0, crossings = 0, check = 0;
    for (const Meter& m : meters) {
        peak += m.peak;
        energy += m.energy;
        crossings += m.crossings;
        check += m.check;
    }
    printf("peak %lu energy %lu crossings %lu check %lu\n", peak, energy, crossings, check);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
