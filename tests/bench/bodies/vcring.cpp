// The machine of vcring.sme by hand.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned channels = 2, depth = 8;

struct Flit {
    uint16_t target;
    uint32_t sent, data;
};

// What a link carries in a cycle, and what comes back on it.
struct Link {
    bool valid, credit[channels];
    uint8_t channel;
    Flit f;
};

struct Wish {
    bool valid, taken;
    Flit f;
};

struct Queue {
    Flit flits[depth];
    unsigned first, count;

    void push(const Flit& f) { flits[(first + count++) % depth] = f; }
    const Flit& front() const { return flits[first]; }
    void pop() {
        first = (first + 1) % depth;
        --count;
    }
};

struct Node {
    Queue queue[channels];
    uint8_t credits[channels] = {depth, depth};
    uint8_t turn = 0;
    uint32_t arrived = 0, passed = 0, blocked = 0;
    uint64_t latency = 0, check = 0;
};

struct Source {
    uint32_t state;
    bool full;
    Flit f;
    uint32_t made, waited;
};

static void stepNode(Node& s, unsigned me, bool last, const Link& before, const Link& after,
                     const Wish& local, Link& nextBefore, Link& nextAfter, Wish& nextLocal,
                     uint32_t cycle) {
    if (before.valid) s.queue[before.channel].push(before.f);
    bool freed[channels] = {};
    for (unsigned v = 0; v < channels; ++v) {
        s.credits[v] += after.credit[v];
        Queue& q = s.queue[v];
        if (q.count != 0 && q.front().target == me) {
            ++s.arrived;
            s.latency += cycle - q.front().sent;
            s.check = s.check * 5 + q.front().data;
            q.pop();
            freed[v] = true;
        }
    }

    nextAfter.valid = false;
    nextLocal.taken = false;
    for (unsigned k = 0; k < 3; ++k) {
        const unsigned who = (s.turn + k) % 3;
        const unsigned target = last || who == 1 ? 1 : 0;
        if (who == 2) {
            if (!local.valid || local.taken || s.credits[target] == 0) continue;
            nextAfter.f = local.f;
            nextLocal.taken = true;
        } else {
            Queue& q = s.queue[who];
            if (q.count == 0) continue;
            if (q.front().target == me || s.credits[target] == 0 || freed[who]) {
                ++s.blocked;
                continue;
            }
            nextAfter.f = q.front();
            q.pop();
            freed[who] = true;
        }
        nextAfter.valid = true;
        nextAfter.channel = target;
        --s.credits[target];
        ++s.passed;
        s.turn = (who + 1) % 3;
        break;
    }
    for (unsigned v = 0; v < channels; ++v)
        nextBefore.credit[v] = freed[v];
}

static void stepSource(Source& s, unsigned me, unsigned n, const Wish& w, Wish& next,
                       uint32_t cycle) {
    if (s.full && w.taken) s.full = false;
    if (s.full) ++s.waited;
    s.state ^= s.state << 13;
    s.state ^= s.state >> 17;
    s.state ^= s.state << 5;
    if (!s.full && (s.state & 15) == 0) {
        unsigned distance = 1 + (s.state & 16 ? s.state >> 5 & 7 : (s.state >> 16) % (n - 1));
        if (distance >= n) distance = 1;
        s.f = {uint16_t(me + distance >= n ? me + distance - n : me + distance), cycle, s.state};
        s.full = true;
        ++s.made;
    }
    next.valid = s.full;
    if (s.full) next.f = s.f;
}

int main(int argc, char** argv) {
    const unsigned n = argc > 1 ? atoi(argv[1]) : 8;
    const uint64_t cycles = argc > 2 ? atoll(argv[2]) : 1000;
    std::vector<Node> nodes(n);
    std::vector<Source> sources(n);
    std::vector<Link> links[2];
    std::vector<Wish> wishes[2];
    for (int t = 0; t < 2; ++t) {
        links[t].resize(n);
        wishes[t].resize(n);
    }
    for (unsigned i = 0; i < n; ++i)
        sources[i].state = uint32_t((i + 1) * uint64_t(2654435761));

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        const int now = cycle & 1, next = now ^ 1;
        for (unsigned i = 0; i < n; ++i) {
            const unsigned before = i == 0 ? n - 1 : i - 1;
            stepSource(sources[i], i, n, wishes[now][i], wishes[next][i], uint32_t(cycle));
            stepNode(nodes[i], i, i == n - 1, links[now][before], links[now][i], wishes[now][i],
                     links[next][before], links[next][i], wishes[next][i], uint32_t(cycle));
        }
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t made = 0, waited = 0, arrived = 0, passed = 0, blocked = 0, latency = 0, check = 0;
    for (const Source& s : sources) {
        made += s.made;
        waited += s.waited;
    }
    for (const Node& s : nodes) {
        arrived += s.arrived;
        passed += s.passed;
        blocked += s.blocked;
        latency += s.latency;
        check += s.check;
    }
    printf("made %lu waited %lu arrived %lu passed %lu blocked %lu latency %lu check %lu\n", made,
           waited, arrived, passed, blocked, latency, check);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
