// The machine of dma.sme by hand.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned burstWords = 8, memoryWords = 256, slots = 4;

struct Descriptor {
    uint8_t source, target, length;
};

struct Job {
    bool valid, taken;
    Descriptor d;
};

struct Reading {
    bool valid;
    uint8_t address, length;
};

struct Writing {
    bool valid;
    uint8_t address;
    uint32_t word;
};

struct Answer {
    bool valid;
    uint32_t word;
};

static uint32_t xorshift(uint32_t s) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}

struct Descriptors {
    uint32_t state;
    Descriptor queue[slots];
    unsigned first, count;
    uint32_t made, full;

    void step(const Job& now, Job& next) {
        if (now.taken) {
            first = (first + 1) % slots;
            --count;
        }
        state = xorshift(state);
        if ((state & 63) == 0) {
            if (count < slots) {
                queue[(first + count) % slots] = {uint8_t(state >> 6), uint8_t(state >> 14),
                                                  uint8_t(1 + (state >> 22 & 63))};
                ++count;
                ++made;
            } else {
                ++full;
            }
        }
        next.valid = count != 0;
        next.d = queue[first];
    }
};

struct Engine {
    enum State : uint8_t { idling, asked, reading, writing };

    State now;
    Descriptor d;
    uint32_t buffer[burstWords];
    uint8_t burst, at;
    uint32_t idle, blocks;
    uint64_t check;

    void ask(Reading& read) {
        burst = std::min<unsigned>(d.length, burstWords);
        at = 0;
        read = {true, d.source, burst};
        now = asked;
    }

    void put(Writing& write) {
        write = {true, uint8_t(d.target + at), buffer[at]};
        ++at;
        now = writing;
    }

    void step(const Job& q, const Answer& data, Job& next, Reading& read, Writing& write) {
        next.taken = false;
        read.valid = false;
        write.valid = false;
        switch (now) {
        case idling:
            if (!q.valid) {
                ++idle;
                break;
            }
            d = q.d;
            next.taken = true;
            ask(read);
            break;
        case asked: now = reading; break;
        case reading:
            if (!data.valid) break;
            buffer[at++] = data.word;
            check = check * 3 + data.word;
            if (at < burst) break;
            at = 0;
            put(write);
            break;
        case writing:
            if (at < burst) {
                put(write);
                break;
            }
            d.source += burst;
            d.target += burst;
            d.length -= burst;
            if (d.length != 0) {
                ask(read);
            } else {
                ++blocks;
                now = idling;
            }
            break;
        }
    }
};

struct Memory {
    uint32_t words[memoryWords];
    uint32_t state;
    uint8_t at, left;
    uint32_t written;

    void step(const Reading& read, const Writing& write, Answer& data) {
        state = xorshift(state);
        if (write.valid) {
            words[write.address] = write.word;
            ++written;
        } else if ((state & 15) == 0) {
            words[state >> 4 & 255] = state;
        }
        if (read.valid) {
            at = read.address;
            left = read.length;
        }
        data.valid = left != 0;
        if (left != 0) {
            data.word = words[at++];
            --left;
        }
    }
};

// All buses of an engine.
struct Buses {
    Job q;
    Reading r;
    Writing w;
    Answer a;
};

int main(int argc, char** argv) {
    const unsigned n = argc > 1 ? atoi(argv[1]) : 4;
    const uint64_t cycles = argc > 2 ? atoll(argv[2]) : 1000;
    std::vector<Descriptors> descriptors(n);
    std::vector<Engine> engines(n);
    std::vector<Memory> memories(n);
    std::vector<Buses> buses[2] = {std::vector<Buses>(n), std::vector<Buses>(n)};
    for (unsigned i = 0; i < n; ++i) {
        descriptors[i].state = uint32_t((2 * i + 1) * uint64_t(2654435761));
        memories[i].state = uint32_t((2 * i + 2) * uint64_t(2654435761));
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        const std::vector<Buses>& now = buses[cycle & 1];
        std::vector<Buses>& next = buses[~cycle & 1];
        for (unsigned i = 0; i < n; ++i) {
            descriptors[i].step(now[i].q, next[i].q);
            engines[i].step(now[i].q, now[i].a, next[i].q, next[i].r, next[i].w);
            memories[i].step(now[i].r, now[i == 0 ? n - 1 : i - 1].w, next[i].a);
        }
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t made = 0, full = 0, idle = 0, blocks = 0, written = 0, check = 0;
    for (unsigned i = 0; i < n; ++i) {
        made += descriptors[i].made;
        full += descriptors[i].full;
        idle += engines[i].idle;
        blocks += engines[i].blocks;
        written += memories[i].written;
        check += engines[i].check;
    }
    printf("made %lu full %lu idle %lu blocks %lu written %lu check %lu\n", made, full, idle,
           blocks, written, check);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
