// The machine of cache2.sme by hand.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned sets = 64, lineWords = 4, lines = 4096, latency = 3;

enum class Phase : uint8_t { run, evict, fill };

struct Block {
    uint32_t word[lineWords];
};

struct Line {
    bool valid, dirty;
    uint8_t tag;
    Block words;
};

struct Request {
    bool valid, write;
    uint16_t at;
    Block words;
};

struct Answer {
    bool valid;
    unsigned who;
    Block words;
};

struct Core {
    Line cache[sets][2];
    uint8_t oldest[sets];
    Phase now;
    uint32_t state;
    uint16_t base, address;
    bool store;
    uint8_t set, tag, way;
    uint32_t hits, misses, evictions, stalls;
    uint64_t check;
};

static void run(Core& s) {
    s.state ^= s.state << 13;
    s.state ^= s.state >> 17;
    s.state ^= s.state << 5;
    s.address = (s.state & 2047) == 0 ? s.state >> 18 : (s.base + (s.state >> 11 & 255)) & 16383;
    s.store = (s.state >> 19 & 3) == 0;
    if (s.state >> 20 == 0) s.base = (s.base + 32) & 16383;
    s.set = s.address >> 2 & 63;
    s.tag = s.address >> 8;
    for (unsigned w = 0; w < 2; ++w) {
        Line& l = s.cache[s.set][w];
        if (!l.valid || l.tag != s.tag) continue;
        ++s.hits;
        if (s.store) {
            l.words.word[s.address & 3] = s.state;
            l.dirty = true;
        } else {
            s.check += l.words.word[s.address & 3];
        }
        s.oldest[s.set] = 1 - w;
        s.way = w;
        return;
    }
    ++s.misses;
    s.way = s.oldest[s.set];
    const Line& l = s.cache[s.set][s.way];
    if (l.valid && l.dirty) {
        ++s.evictions;
        s.now = Phase::evict;
    } else {
        s.now = Phase::fill;
    }
}

static void step(Core& s, unsigned me, const Answer& a, Request& r) {
    const bool mine = a.valid && a.who == me;
    Line& l = s.cache[s.set][s.way];
    switch (s.now) {
    case Phase::run: run(s); break;
    case Phase::evict:
        if (mine)
            s.now = Phase::fill;
        else
            ++s.stalls;
        break;
    case Phase::fill:
        if (mine) {
            l = {true, s.store, s.tag, a.words};
            if (s.store)
                l.words.word[s.address & 3] = s.state;
            else
                s.check += a.words.word[s.address & 3];
            s.oldest[s.set] = 1 - s.way;
            s.now = Phase::run;
        } else {
            ++s.stalls;
        }
        break;
    }
    r.valid = s.now != Phase::run;
    if (!r.valid) return;
    r.write = s.now == Phase::evict;
    if (r.write) {
        const Line& victim = s.cache[s.set][s.way];
        r.at = victim.tag << 6 | s.set;
        r.words = victim.words;
    } else {
        r.at = s.tag << 6 | s.set;
    }
}

struct Arbiter {
    std::vector<Block> memory = std::vector<Block>(lines);
    unsigned turn = 0, who = 0, busy = 0, served = 0;
    bool pause = false;

    void step(const std::vector<Request>& requests, Answer& a) {
        a.valid = false;
        if (pause) {
            pause = false;
        } else if (busy != 0) {
            if (--busy != 0) return;
            const Request& r = requests[who];
            if (r.write) memory[r.at] = r.words;
            a = {true, who, memory[r.at]};
            ++served;
            pause = true;
        } else {
            const unsigned n = requests.size();
            for (unsigned k = 0; k < n; ++k) {
                const unsigned c = turn + k < n ? turn + k : turn + k - n;
                if (!requests[c].valid) continue;
                who = c;
                turn = c + 1 == n ? 0 : c + 1;
                busy = latency;
                break;
            }
        }
    }
};

int main(int argc, char** argv) {
    const unsigned n = argc > 1 ? atoi(argv[1]) : 4;
    const uint64_t cycles = argc > 2 ? atoll(argv[2]) : 1000;
    std::vector<Core> cores(n);
    std::vector<Request> requests[2] = {std::vector<Request>(n), std::vector<Request>(n)};
    Answer answers[2] = {};
    Arbiter arbiter;
    for (unsigned i = 0; i < n; ++i) {
        cores[i].state = uint32_t((i + 1) * uint64_t(2654435761));
        cores[i].base = i * 512 % 16384;
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        const int now = cycle & 1, next = now ^ 1;
        for (unsigned i = 0; i < n; ++i)
            step(cores[i], i, answers[now], requests[next][i]);
        arbiter.step(requests[now], answers[next]);
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t hits = 0, misses = 0, evictions = 0, stalls = 0, check = 0;
    for (const Core& s : cores) {
        hits += s.hits;
        misses += s.misses;
        evictions += s.evictions;
        stalls += s.stalls;
        check += s.check;
    }
    printf("hits %lu misses %lu evictions %lu stalls %lu check %lu served %u\n", hits, misses,
           evictions, stalls, check, arbiter.served);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
