// The machine of deflect.sme by hand.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { NORTH, EAST, SOUTH, WEST, HERE };

struct Flit {
    bool valid;
    uint8_t x, y;
    uint16_t hops;
    uint32_t born, data;
};

struct Router {
    uint32_t state;
    bool waiting;
    Flit fresh;
    uint32_t injected, blocked, arrived, deflected;
    uint64_t latency, check;
    int in[4];  // where the flits come from
};

static int distance(int a, int b, int n) { return b >= a ? b - a : b + n - a; }

static int way(int from, int to, int n, int up, int down) {
    const int d = distance(from, to, n);
    if (d == 0) return HERE;
    return 2 * d <= n ? up : down;
}

static int oldest(const Flit* slot) {
    int best = -1;
    for (int k = 0; k < 4; ++k)
        if (slot[k].valid && (best < 0 || slot[k].born < slot[best].born)) best = k;
    return best;
}

static void step(Router& r, int x, int y, int n, const Flit* now, Flit* out, uint32_t cycle) {
    Flit slot[4];
    for (int k = 0; k < 4; ++k) {
        slot[k] = now[r.in[k]];
        out[k].valid = false;
    }

    int home = -1;
    for (int k = 0; k < 4; ++k)
        if (slot[k].valid && slot[k].x == x && slot[k].y == y
            && (home < 0 || slot[k].born < slot[home].born))
            home = k;
    if (home >= 0) {
        ++r.arrived;
        r.latency += cycle - slot[home].born;
        r.check = r.check * 3 + slot[home].data + slot[home].hops;
        slot[home].valid = false;
    }

    r.state ^= r.state << 13;
    r.state ^= r.state >> 17;
    r.state ^= r.state << 5;
    if (!r.waiting && (r.state & 7) == 0) {
        r.fresh = {true,
                   uint8_t((r.state >> 6 & 4095) % n),
                   uint8_t((r.state >> 18 & 4095) % n),
                   0,
                   cycle,
                   r.state};
        r.waiting = r.fresh.x != x || r.fresh.y != y;
    }
    if (r.waiting) {
        for (int k = 0; k < 4; ++k) {
            if (slot[k].valid) continue;
            slot[k] = r.fresh;
            r.waiting = false;
            ++r.injected;
            break;
        }
        if (r.waiting) ++r.blocked;
    }

    for (int best = oldest(slot); best >= 0; best = oldest(slot)) {
        int d = way(x, slot[best].x, n, EAST, WEST);
        if (d == HERE || out[d].valid) d = way(y, slot[best].y, n, SOUTH, NORTH);
        if (d == HERE || out[d].valid) {
            ++r.deflected;
            d = 0;
            while (out[d].valid)
                ++d;
        }
        out[d] = slot[best];
        ++out[d].hops;
        slot[best].valid = false;
    }
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 4;
    const uint64_t cycles = argc > 2 ? atoll(argv[2]) : 1000;
    std::vector<Router> routers(n * n);
    std::vector<Flit> links[2];
    for (auto& l : links)
        l.resize(n * n * 4);
    for (int y = 0; y < n; ++y) {
        for (int x = 0; x < n; ++x) {
            Router& r = routers[y * n + x];
            r.in[NORTH] = ((y + n - 1) % n * n + x) * 4 + SOUTH;
            r.in[EAST] = (y * n + (x + 1) % n) * 4 + WEST;
            r.in[SOUTH] = ((y + 1) % n * n + x) * 4 + NORTH;
            r.in[WEST] = (y * n + (x + n - 1) % n) * 4 + EAST;
            r.state = uint32_t((y * n + x + 1) * uint64_t(2654435761));
        }
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        const Flit* now = links[cycle & 1].data();
        Flit* next = links[~cycle & 1].data();
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x)
                step(routers[y * n + x], x, y, n, now, next + (y * n + x) * 4, uint32_t(cycle));
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t injected = 0, blocked = 0, arrived = 0, deflected = 0, latency = 0, check = 0;
    for (const Router& r : routers) {
        injected += r.injected;
        blocked += r.blocked;
        arrived += r.arrived;
        deflected += r.deflected;
        latency += r.latency;
        check += r.check;
    }
    printf("injected %lu blocked %lu arrived %lu deflected %lu latency %lu check %lu\n", injected,
           blocked, arrived, deflected, latency, check);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
