// Crossings in a grid whose ends are joined, with lights and queues of cars, as traffic.sme has them.
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr uint32_t depth = 8;
constexpr uint8_t greenTime = 20, clearTime = 3;

struct Road {
    uint16_t car;
    bool valid, space;
};

struct Queue {
    uint16_t cars[depth];
    uint8_t head, count;

    void push(uint16_t car) { cars[(head + count++) % depth] = car; }

    uint16_t pop() {
        const uint16_t car = cars[head];
        head = (head + 1) % depth;
        --count;
        return car;
    }
};

enum class Light : uint8_t { Vertical, AfterVertical, Horizontal, AfterHorizontal };

struct Crossing {
    Queue queues[4];
    Light light;
    uint8_t timer;
    uint32_t dice;
    uint32_t passed, blocked, changes, waiting, sum;

    void receive(uint32_t side, const Road& arrival) {
        if (arrival.valid) queues[side].push(arrival.car);
    }

    void drive(const Road* departure, Road* next) {
        for (uint32_t side = 0; side < 4; ++side)
            next[side].valid = false;
        for (uint32_t side = 0; side < 4; ++side) {
            if (light != (side % 2 == 0 ? Light::Vertical : Light::Horizontal)) {
                waiting += queues[side].count;
                continue;
            }
            if (queues[side].count == 0) continue;
            const uint32_t exit = chooseExit(side);
            if (next[exit].valid || !departure[exit].space) {
                ++blocked;
                continue;
            }
            next[exit].valid = true;
            next[exit].car = queues[side].pop();
            sum = sum * 31 + next[exit].car;
            ++passed;
        }
    }

    uint32_t chooseExit(uint32_t side) {
        dice ^= dice << 13;
        dice ^= dice >> 17;
        dice ^= dice << 5;
        const uint32_t choice = dice >> 8 & 3;
        const uint32_t turn = choice == 0 ? 1 : choice == 1 ? 3 : 2;
        return (side + turn) % 4;
    }

    void change() {
        if (timer > 0) --timer;
        switch (light) {
        case Light::Vertical:
            if (timer == 0 || (queues[0].count == 0 && queues[2].count == 0))
                clear(Light::AfterVertical);
            break;
        case Light::Horizontal:
            if (timer == 0 || (queues[1].count == 0 && queues[3].count == 0))
                clear(Light::AfterHorizontal);
            break;
        default:
            if (timer > 0) break;
            light = light == Light::AfterVertical ? Light::Horizontal : Light::Vertical;
            timer = greenTime;
            break;
        }
    }

    void clear(Light next) {
        light = next;
        timer = clearTime;
        ++changes;
    }
};

struct Roads {
    Road out[4];
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 8;
    const uint64_t cycles = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1000;
    std::vector<Crossing> crossings(n * n);
    std::vector<Roads> now(n * n), next(n * n);
    for (uint32_t k = 0; k < n * n; ++k) {
        Crossing& crossing = crossings[k];
        for (uint32_t side = 0; side < 4; ++side) {
            for (uint32_t i = 0; i < depth; ++i)
                crossing.queues[side].cars[i] = k * 32 + side * 8 + i;
            crossing.queues[side].count = 3;
        }
        crossing.timer = greenTime;
        crossing.dice = (k + 1) * 2654435761u;
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        for (uint32_t y = 0; y < n; ++y) {
            const uint32_t north = y == 0 ? n - 1 : y - 1, south = y + 1 == n ? 0 : y + 1;
            for (uint32_t x = 0; x < n; ++x) {
                const uint32_t west = x == 0 ? n - 1 : x - 1, east = x + 1 == n ? 0 : x + 1;
                const uint32_t here = y * n + x;
                // For each side, the crossing there, whose exit towards this one is the opposite side.
                const uint32_t neighbours[4] = {north * n + x, y * n + east, south * n + x,
                                                y * n + west};
                Crossing& crossing = crossings[here];
                for (uint32_t side = 0; side < 4; ++side)
                    crossing.receive(side, now[neighbours[side]].out[(side + 2) % 4]);
                crossing.drive(now[here].out, next[here].out);
                crossing.change();
                for (uint32_t side = 0; side < 4; ++side)
                    next[neighbours[side]].out[(side + 2) % 4].space =
                        crossing.queues[side].count + 2u <= depth;
            }
        }
        now.swap(next);
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t passed = 0, blocked = 0, changes = 0, waiting = 0, sum = 0;
    for (const Crossing& crossing : crossings) {
        passed += crossing.passed;
        blocked += crossing.blocked;
        changes += crossing.changes;
        waiting += crossing.waiting;
        sum += crossing.sum;
    }
    printf("passed %" PRIu64 " blocked %" PRIu64 " changes %" PRIu64 " waiting %" PRIu64
           " sum %" PRIu64 "\n",
           passed, blocked, changes, waiting, sum);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
