// The machine of spiking.sme by hand.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned inputs = 8;
constexpr int calm = 100, highest = 1000;

static uint32_t mix(uint32_t a, uint32_t b) {
    uint32_t h = (a ^ (b << 20)) * 0x9E3779B1u;
    h = (h ^ (h >> 15)) * 0x85EBCA6Bu;
    h = h ^ (h >> 13);
    return h == 0 ? 1 : h;
}

static uint32_t origin(uint32_t i, uint32_t k, uint32_t n) {
    switch (k) {
    case 0: return (i + 1) % n;
    case 1: return (i + 2) % n;
    case 2: return (i + n - 1) % n;
    case 3: return (i + n - 2) % n;
    default: return mix(i, k) % n;
    }
}

struct Neuron {
    uint32_t from[inputs];
    uint32_t state;
    int16_t current, potential, threshold;
    int8_t charge;
    uint8_t pause, rest;
    uint32_t since, spikes;
    uint64_t check;

    int8_t step(const int8_t* axons) {
        current -= current / 8;
        for (uint32_t f : from)
            current += axons[f];
        if (threshold > calm) --threshold;
        ++since;
        if (rest != 0) {
            --rest;
            return 0;
        }
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        potential = std::max(potential - potential / 16 + current / 4 + int(state & 15), -200);
        if (potential < threshold) return 0;
        ++spikes;
        check = check * 3 + since;
        since = 0;
        potential = 0;
        threshold = std::min(threshold + 25, highest);
        rest = pause;
        return charge;
    }
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? atoi(argv[1]) : 64;
    const uint64_t cycles = argc > 2 ? atoll(argv[2]) : 1000;
    std::vector<Neuron> neurons(n);
    std::vector<int8_t> axons(n), next(n);
    for (uint32_t i = 0; i < n; ++i) {
        Neuron& s = neurons[i];
        for (uint32_t k = 0; k < inputs; ++k)
            s.from[k] = origin(i, k, n);
        s.state = mix(i, 8);
        s.threshold = calm;
        s.charge = i % 5 == 0 ? -60 : 20;
        s.pause = 2 + i % 4;
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        for (uint32_t i = 0; i < n; ++i)
            next[i] = neurons[i].step(axons.data());
        axons.swap(next);
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t spikes = 0, potential = 0, threshold = 0, check = 0;
    for (const Neuron& s : neurons) {
        spikes += s.spikes;
        potential += uint64_t(int64_t(s.potential));
        threshold += s.threshold;
        check += s.check;
    }
    printf("spikes %lu potential %lu threshold %lu check %lu\n", spikes, potential, threshold,
           check);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
