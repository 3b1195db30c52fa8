// The machine of mesh.sme by hand.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { NORTH, EAST, SOUTH, WEST, LOCAL, PORTS };
constexpr int depth = 4;

struct Flit {
    bool head, tail;
    uint8_t x, y;
    uint32_t data;
};

struct Link {
    bool valid = false, ready = false;
    Flit f = {};
};

struct Router {
    Flit queue[PORTS][depth];
    uint8_t first[PORTS], count[PORTS];
    Flit leaving[PORTS];
    bool full[PORTS], locked[PORTS];
    uint8_t owner[PORTS], turn[PORTS];
    uint32_t moved;
    int in[PORTS];  // the links that arrive here
};

struct Node {
    uint32_t state;
    unsigned left;
    Flit now;
    uint32_t sent, stalls, flits, packets;
    uint64_t check;
};

static int route(const Flit& f, int x, int y) {
    if (f.x > x) return EAST;
    if (f.x < x) return WEST;
    if (f.y > y) return SOUTH;
    if (f.y < y) return NORTH;
    return LOCAL;
}

static void step(Router& r, int x, int y, const Link* now, Link* next, int out) {
    bool used[PORTS] = {};
    for (int k = 0; k < PORTS; ++k) {
        const Link& in = now[r.in[k]];
        if (in.valid && in.ready) {
            r.queue[k][(r.first[k] + r.count[k]) % depth] = in.f;
            ++r.count[k];
        }
        if (now[out + k].valid && now[out + k].ready) r.full[k] = false;
    }
    for (int d = 0; d < PORTS; ++d) {
        if (r.full[d]) continue;
        if (!r.locked[d]) {
            for (int k = 0; k < PORTS; ++k) {
                const int p = (r.turn[d] + k) % PORTS;
                if (r.count[p] == 0 || used[p]) continue;
                const Flit& f = r.queue[p][r.first[p]];
                if (f.head && route(f, x, y) == d) {
                    r.locked[d] = true;
                    r.owner[d] = p;
                    r.turn[d] = (p + 1) % PORTS;
                    break;
                }
            }
        }
        const int p = r.owner[d];
        if (r.locked[d] && r.count[p] != 0 && !used[p]) {
            r.leaving[d] = r.queue[p][r.first[p]];
            r.full[d] = true;
            used[p] = true;
            ++r.moved;
            if (r.leaving[d].tail) r.locked[d] = false;
            r.first[p] = (r.first[p] + 1) % depth;
            --r.count[p];
        }
    }
    for (int k = 0; k < PORTS; ++k) {
        next[out + k].valid = r.full[k];
        next[out + k].f = r.leaving[k];
        next[r.in[k]].ready = r.count[k] < depth;
    }
}

static void step(Node& s, const Link& in, const Link& out, Link& nextIn, Link& nextOut,
                 unsigned n) {
    s.state ^= s.state << 13;
    s.state ^= s.state >> 17;
    s.state ^= s.state << 5;
    if (out.valid && out.ready) {
        ++s.sent;
        --s.left;
        s.now.head = false;
        s.now.tail = s.left == 1;
        s.now.data = s.now.data * 5 + 1;
    } else if (s.left != 0) {
        ++s.stalls;
    }
    if (s.left == 0 && (s.state & 31) == 0) {
        s.left = 2 + (s.state >> 5 & 3);
        s.now = {true, false, uint8_t((s.state >> 8 & 4095) % n), uint8_t((s.state >> 20) % n),
                 s.state};
    }
    nextOut.valid = s.left != 0;
    if (s.left != 0) nextOut.f = s.now;
    if (in.valid && in.ready) {
        ++s.flits;
        if (in.f.tail) ++s.packets;
        s.check = s.check * 3 + in.f.data;
    }
    nextIn.ready = true;
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 4;
    const uint64_t cycles = argc > 2 ? atoll(argv[2]) : 1000;
    std::vector<Router> routers(n * n);
    std::vector<Node> nodes(n * n);
    // Links of routers, then those of nodes, then those of the edges.
    const int ups = n * n * PORTS, rim = ups + n * n;
    std::vector<Link> links[2];
    for (auto& l : links)
        l.resize(rim + 4 * n);
    std::vector<int> outward;  // the links that end at an edge
    for (int y = 0; y < n; ++y) {
        for (int x = 0; x < n; ++x) {
            const int me = y * n + x;
            Router& r = routers[me];
            r.in[NORTH] = y > 0 ? (me - n) * PORTS + SOUTH : rim + NORTH * n + x;
            r.in[EAST] = x + 1 < n ? (me + 1) * PORTS + WEST : rim + EAST * n + y;
            r.in[SOUTH] = y + 1 < n ? (me + n) * PORTS + NORTH : rim + SOUTH * n + x;
            r.in[WEST] = x > 0 ? (me - 1) * PORTS + EAST : rim + WEST * n + y;
            r.in[LOCAL] = ups + me;
            nodes[me].state = uint32_t((me + 1) * uint64_t(2654435761));
            if (y == 0) outward.push_back(me * PORTS + NORTH);
            if (x == n - 1) outward.push_back(me * PORTS + EAST);
            if (y == n - 1) outward.push_back(me * PORTS + SOUTH);
            if (x == 0) outward.push_back(me * PORTS + WEST);
        }
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        const Link* now = links[cycle & 1].data();
        Link* next = links[~cycle & 1].data();
        for (int y = 0; y < n; ++y) {
            for (int x = 0; x < n; ++x) {
                const int me = y * n + x;
                step(routers[me], x, y, now, next, me * PORTS);
                const int in = me * PORTS + LOCAL, out = ups + me;
                step(nodes[me], now[in], now[out], next[in], next[out], n);
            }
        }
        for (int l : outward) {
            if (now[l].valid) abort();
            next[l].ready = true;
        }
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t sent = 0, stalls = 0, flits = 0, packets = 0, check = 0, moved = 0;
    for (const Node& s : nodes) {
        sent += s.sent;
        stalls += s.stalls;
        flits += s.flits;
        packets += s.packets;
        check += s.check;
    }
    for (const Router& r : routers)
        moved += r.moved;
    printf("sent %lu stalls %lu flits %lu packets %lu check %lu moved %lu\n", sent, stalls, flits,
           packets, check, moved);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
