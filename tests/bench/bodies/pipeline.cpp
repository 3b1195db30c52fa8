// Pipelines of five stages with valid, ready and skid buffers, as pipeline.sme has them.
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr uint32_t stageCount = 5;

struct Link {
    uint32_t data;
    bool valid, ready;

    bool moves() const { return valid && ready; }
};

uint32_t xorshift(uint32_t x) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

uint32_t compute(uint32_t stage, uint32_t x) {
    switch (stage) {
    case 0: return x + 0x9E3779B9;
    case 1: return x ^ x >> 15;
    case 2: return x * 0x85EBCA6B;
    case 3: return x ^ x >> 13;
    default: return x << 8 | x >> 24;
    }
}

struct Source {
    uint32_t dice, number, sent;
    bool full;

    void step(const Link& output, Link& next) {
        if (output.moves()) {
            full = false;
            ++number;
            ++sent;
        }
        if (!full) {
            dice = xorshift(dice);
            full = dice % 8 != 0;
        }
        next.valid = full;
        next.data = number;
    }
};

struct Stage {
    uint32_t dice, data, skid;
    bool full, skidFull;
    uint8_t delay;
    uint32_t taken, slow, held;

    void step(uint32_t index, const Link& input, const Link& output, Link& nextInput,
              Link& nextOutput) {
        if (output.moves()) full = false;
        if (input.moves()) {
            skid = input.data;
            skidFull = true;
            ++taken;
        }
        if (full && delay > 0) --delay;
        if (!full && skidFull) {
            data = compute(index, skid);
            full = true;
            skidFull = false;
            dice = xorshift(dice);
            if (dice % 16 == 0) {
                delay = dice >> 4 & 7;
                ++slow;
            }
        }
        held += skidFull;
        nextOutput.valid = full && delay == 0;
        nextOutput.data = data;
        nextInput.ready = !skidFull;
    }
};

struct Sink {
    uint32_t dice, received, sum;

    void step(const Link& input, Link& next) {
        if (input.moves()) {
            ++received;
            sum = sum * 31 + input.data;
        }
        dice = xorshift(dice);
        next.ready = dice % 8 != 0;
    }
};

struct Line {
    Source source;
    Stage stages[stageCount];
    Sink sink;
    Link links[2][stageCount + 1];

    void step(uint64_t cycle) {
        const Link* now = links[cycle & 1];
        Link* next = links[~cycle & 1];
        source.step(now[0], next[0]);
        for (uint32_t i = 0; i < stageCount; ++i)
            stages[i].step(i, now[i], now[i + 1], next[i], next[i + 1]);
        sink.step(now[stageCount], next[stageCount]);
    }
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 32;
    const uint64_t cycles = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1000;
    std::vector<Line> lines(n);
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t seed = i * 7 + 1;
        lines[i].source.dice = lines[i].source.number = seed * 2654435761u;
        for (uint32_t s = 0; s < stageCount; ++s)
            lines[i].stages[s].dice = (seed + 1 + s) * 2654435761u;
        lines[i].sink.dice = (seed + 6) * 2654435761u;
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle)
        for (Line& line : lines)
            line.step(cycle);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t sent = 0, taken = 0, slow = 0, held = 0, received = 0, sum = 0;
    for (const Line& line : lines) {
        sent += line.source.sent;
        taken += line.stages[1].taken;
        slow += line.stages[2].slow;
        held += line.stages[3].held;
        received += line.sink.received;
        sum += line.sink.sum;
    }
    printf("sent %" PRIu64 " taken %" PRIu64 " slow %" PRIu64 " held %" PRIu64 " received %" PRIu64
           " sum %" PRIu64 "\n",
           sent, taken, slow, held, received, sum);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
