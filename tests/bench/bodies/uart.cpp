// The machine of uart.sme by hand.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned depth = 16;

static uint32_t xorshift(uint32_t s) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}

struct Queue {
    uint8_t bytes[depth];
    uint8_t first, count;

    void push(uint8_t b) { bytes[(first + count++) % depth] = b; }
    uint8_t front() const { return bytes[first]; }
    void pop() {
        first = (first + 1) % depth;
        --count;
    }
};

// What the buses of a pair carry in one cycle.
struct Wires {
    bool offered = false, taken = false;
    uint8_t offer = 0;
    bool line = true, far = true;
    bool valid = false;
    uint8_t data = 0;
};

struct Producer {
    uint32_t state;
    Queue queue;
    uint32_t made, full;

    void step(const Wires& now, Wires& next) {
        if (now.taken) queue.pop();
        state = xorshift(state);
        if ((state & 63) == 0) {
            if (queue.count == depth) {
                ++full;
            } else {
                queue.push(state >> 6);
                ++made;
            }
        }
        next.offered = queue.count != 0;
        next.offer = queue.front();
    }
};

struct Transmitter {
    enum Phase : uint8_t { pause, idle, sending };

    Phase now;
    uint8_t divider, timer, bit, shift;
    uint32_t sent;

    void step(const Wires& in, Wires& next) {
        next.taken = false;
        next.line = in.line;
        switch (now) {
        case pause: now = idle; break;
        case idle:
            if (!in.offered) break;
            shift = in.offer;
            next.taken = true;
            next.line = false;
            timer = divider;
            bit = 0;
            now = sending;
            break;
        case sending:
            if (--timer != 0) break;
            timer = divider;
            if (bit < 8)
                next.line = shift >> bit & 1;
            else if (bit == 8)
                next.line = true;
            else {
                ++sent;
                now = pause;
            }
            ++bit;
            break;
        }
    }
};

struct Cable {
    uint32_t state;
    uint8_t left;

    void step(const Wires& now, Wires& next) {
        state = xorshift(state);
        if (left != 0)
            --left;
        else if ((state & 1023) == 0)
            left = 3;
        next.far = left != 0 ? !now.line : now.line;
    }
};

struct Receiver {
    enum Phase : uint8_t { idle, start, bits, stop };

    Phase now;
    bool before = true, level = true;
    uint8_t divider, timer, bit, shift;
    uint32_t good, errors, glitches;

    void step(const Wires& in, Wires& next) {
        level = before;
        before = in.far;
        next.valid = false;
        if (now == idle) {
            if (!level) {
                now = start;
                timer = divider / 2;
            }
            return;
        }
        if (--timer != 0) return;
        switch (now) {
        case idle: break;
        case start:
            if (level) {
                ++glitches;
                now = idle;
            } else {
                now = bits;
                bit = 0;
                timer = divider;
            }
            break;
        case bits:
            shift = (shift & ~(1 << bit)) | level << bit;
            timer = divider;
            if (bit == 7)
                now = stop;
            else
                ++bit;
            break;
        case stop:
            if (level) {
                ++good;
                next.valid = true;
                next.data = shift;
            } else {
                ++errors;
            }
            now = idle;
            break;
        }
    }
};

struct Consumer {
    uint32_t state;
    Queue queue;
    uint32_t lost;
    uint64_t check;

    void step(const Wires& now) {
        if (now.valid) {
            if (queue.count < depth)
                queue.push(now.data);
            else
                ++lost;
        }
        state = xorshift(state);
        if (queue.count != 0 && (state & 63) == 0) {
            check = check * 3 + queue.front();
            queue.pop();
        }
    }
};

struct Pair {
    Producer producer = {};
    Transmitter transmitter = {};
    Cable cable = {};
    Receiver receiver = {};
    Consumer consumer = {};
    Wires wires[2];
};

int main(int argc, char** argv) {
    const unsigned n = argc > 1 ? atoi(argv[1]) : 4;
    const uint64_t cycles = argc > 2 ? atoll(argv[2]) : 1000;
    std::vector<Pair> pairs(n);
    for (unsigned i = 0; i < n; ++i) {
        Pair& p = pairs[i];
        p.producer.state = uint32_t((3 * i + 1) * uint64_t(2654435761));
        p.cable.state = uint32_t((3 * i + 2) * uint64_t(2654435761));
        p.consumer.state = uint32_t((3 * i + 3) * uint64_t(2654435761));
        p.transmitter.divider = p.receiver.divider = 4 + i % 13;
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        for (Pair& p : pairs) {
            const Wires& now = p.wires[cycle & 1];
            Wires& next = p.wires[~cycle & 1];
            p.producer.step(now, next);
            p.transmitter.step(now, next);
            p.cable.step(now, next);
            p.receiver.step(now, next);
            p.consumer.step(now);
        }
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t made = 0, full = 0, sent = 0, good = 0, errors = 0, glitches = 0, lost = 0, check = 0;
    for (const Pair& p : pairs) {
        made += p.producer.made;
        full += p.producer.full;
        sent += p.transmitter.sent;
        good += p.receiver.good;
        errors += p.receiver.errors;
        glitches += p.receiver.glitches;
        lost += p.consumer.lost;
        check += p.consumer.check;
    }
    printf("made %lu full %lu sent %lu good %lu errors %lu glitches %lu lost %lu check %lu\n", made,
           full, sent, good, errors, glitches, lost, check);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
