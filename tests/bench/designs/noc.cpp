// noc.sme by hand: a flit is one word, what a router knows of its slots and links another, and a
// loop without branches goes over all routers, then one over all nodes. A column of routers that
// never do anything closes each row on both sides, and rows of them close the mesh. R: rows and
// columns. Prints result0 ... result2 as noc.sme names them.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#ifndef R
#define R 4
#endif

namespace {

using u32 = std::uint32_t;

constexpr int kStride = R + 1;
constexpr int kFirst = kStride + 1;  // router (0, 0)
constexpr int kCount = R * kStride;  // with the column between two rows
constexpr int kAll = kFirst + kCount + kStride + 1;
using Words = std::array<u32, kAll>;

// A flit: 16 bits of data, 5 of column, 5 of row, 6 of hops.
// Control of a router: for input p where its flit goes (3 bits each, 0 where there is none),
// whether output d is valid (bit 16 + d), whether input p is ready (bit 24 + p). Inputs and
// outputs: 0 north, 1 east, 2 south, 3 west, 4 node.
struct Routers {
    Words control{};
    std::array<Words, 5> out{};
};

Routers routers[2];
alignas(64) std::array<Words, 5> slots{};
alignas(64) Words column{}, row{};  // of a router
alignas(64) Words state{}, leaves{}, ready{}, leaving{}, counts{}, sums{}, allCounts{}, allSums{};
alignas(64) Words inside{};  // 1 where there is a node

inline u32 route(u32 flit, u32 x, u32 y) {
    const u32 fx = flit >> 16 & 31, fy = flit >> 21 & 31;
    const u32 vertical = fy > y ? 3 : fy < y ? 1 : 5;
    return fx > x ? 2 : fx < x ? 4 : vertical;
}

inline u32 accept(u32 control, int p, u32 valid, u32 arriving, u32& slot, u32 x, u32 y) {
    const bool take = (valid & control >> (24 + p) & 1) != 0;
    slot = take ? arriving : slot;
    return take ? route(arriving, x, y) << 3 * p : 0;
}

struct Choice {
    u32 flit, valid, wants;
};

// Output d takes what goes there if it is free.
inline Choice choose(int d, u32 control, u32 wants, u32 ready, u32 old, const u32 (&slot)[5]) {
    const u32 valid = control >> (16 + d) & 1;
    const bool free = (valid & ~ready & 1) == 0;
    u32 flit = 0, taken = 0;
    for (int p = 4; p >= 0; --p) {
        const bool goes = (wants >> 3 * p & 7) == u32(d) + 1;
        flit = goes ? slot[p] : flit;
        taken = goes ? 7u << 3 * p : taken;
    }
    taken = free ? taken : 0;
    return {taken != 0 ? flit + (1u << 26) : old, free ? u32(taken != 0) : 1, wants & ~taken};
}

void runRouters(const Routers& now, Routers& next) {
    const u32* __restrict control = now.control.data() + kFirst;
    const u32* __restrict fromNorth = now.out[2].data() + kFirst - kStride;
    const u32* __restrict fromEast = now.out[3].data() + kFirst + 1;
    const u32* __restrict fromSouth = now.out[0].data() + kFirst + kStride;
    const u32* __restrict fromWest = now.out[1].data() + kFirst - 1;
    const u32* __restrict old0 = &now.out[0][kFirst], * __restrict old1 = &now.out[1][kFirst], * __restrict old2 = &now.out[2][kFirst], * __restrict old3 = &now.out[3][kFirst], * __restrict old4 = &now.out[4][kFirst];
    u32* __restrict out0 = &next.out[0][kFirst], * __restrict out1 = &next.out[1][kFirst], * __restrict out2 = &next.out[2][kFirst], * __restrict out3 = &next.out[3][kFirst], * __restrict out4 = &next.out[4][kFirst];
    u32* __restrict slot0 = &slots[0][kFirst], * __restrict slot1 = &slots[1][kFirst], * __restrict slot2 = &slots[2][kFirst], * __restrict slot3 = &slots[3][kFirst], * __restrict slot4 = &slots[4][kFirst];
    u32* __restrict controlOut = next.control.data() + kFirst;
    const u32* __restrict xs = &column[kFirst], * __restrict ys = &row[kFirst], * __restrict leave = &leaves[kFirst], * __restrict fromNode = &leaving[kFirst], * __restrict nodeReady = &ready[kFirst];
#pragma GCC ivdep
    for (int n = 0; n < kCount; ++n) {
        const u32 own = control[n], x = xs[n], y = ys[n];
        const u32 north = control[n - kStride], east = control[n + 1], south = control[n + kStride],
                  west = control[n - 1];
        u32 slot[5] = {slot0[n], slot1[n], slot2[n], slot3[n], slot4[n]};
        const Choice c0 = choose(0, own, own & 0x7FFF, north >> 26, old0[n], slot);
        const Choice c1 = choose(1, own, c0.wants, east >> 27, old1[n], slot);
        const Choice c2 = choose(2, own, c1.wants, south >> 24, old2[n], slot);
        const Choice c3 = choose(3, own, c2.wants, west >> 25, old3[n], slot);
        const Choice c4 = choose(4, own, c3.wants, nodeReady[n], old4[n], slot);
        u32 wants = c4.wants;
        wants |= accept(own, 0, north >> 18, fromNorth[n], slot[0], x, y);
        wants |= accept(own, 1, east >> 19, fromEast[n], slot[1], x, y);
        wants |= accept(own, 2, south >> 16, fromSouth[n], slot[2], x, y);
        wants |= accept(own, 3, west >> 17, fromWest[n], slot[3], x, y);
        wants |= accept(own, 4, leave[n], fromNode[n], slot[4], x, y);
        u32 result = wants | c0.valid << 16 | c1.valid << 17 | c2.valid << 18 | c3.valid << 19
                     | c4.valid << 20;
        for (int p = 0; p < 5; ++p)
            result |= u32((wants >> 3 * p & 7) == 0) << (24 + p);
        controlOut[n] = result;
        out0[n] = c0.flit;
        out1[n] = c1.flit;
        out2[n] = c2.flit;
        out3[n] = c3.flit;
        out4[n] = c4.flit;
        slot0[n] = slot[0];
        slot1[n] = slot[1];
        slot2[n] = slot[2];
        slot3[n] = slot[3];
        slot4[n] = slot[4];
    }
}

// The nodes' words are not read by other nodes, and by routers before this: one buffer will do.
void runNodes(const Routers& now) {
    const u32* __restrict control = now.control.data() + kFirst;
    const u32* __restrict arriving = now.out[4].data() + kFirst;
    u32* __restrict states = &state[kFirst], * __restrict leave = &leaves[kFirst], * __restrict flits = &leaving[kFirst], * __restrict takes = &ready[kFirst], * __restrict count = &counts[kFirst], * __restrict sum = &sums[kFirst];
    const u32* __restrict in = &inside[kFirst];
#pragma GCC ivdep
    for (int n = 0; n < kCount; ++n) {
        u32 s = states[n];
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        states[n] = s;
        const bool free = (leave[n] & ~(control[n] >> 28) & 1) == 0;
        const u32 sends = (s & 7) == 0 ? in[n] : 0;
        const u32 flit =
            (s >> 16) | ((s >> 8 & 255) * R >> 8) << 16 | ((s >> 16 & 255) * R >> 8) << 21;
        flits[n] = free && sends ? flit : flits[n];
        leave[n] = free ? sends : 1;
        const bool take = (control[n] >> 20 & takes[n] & 1) != 0;
        const u32 a = arriving[n];
        count[n] += take;
        sum[n] = take ? (sum[n] << 1 | sum[n] >> 31) + ((a >> 26) << 16 | (a & 0xFFFF)) : sum[n];
        takes[n] = (s >> 3 & 3) != 0;
    }
}

// From the last to the first, so that each finds what the one before it passed on a cycle ago.
void passOn() {
    for (int y = R - 1; y >= 0; --y) {
        const int first = kFirst + y * kStride;
        const int before = y == 0 ? 0 : first - 2;
        for (int n = first + R - 1; n > first; --n) {
            allCounts[n] = allCounts[n - 1] + counts[n];
            allSums[n] = allSums[n - 1] + sums[n];
        }
        allCounts[first] = allCounts[before] + counts[first];
        allSums[first] = allSums[before] + sums[first];
    }
}

}  // namespace

int main(int, char** argv) {
    const long cycles = std::atol(argv[1]);
    for (int y = 0; y < R; ++y)
        for (int x = 0; x < R; ++x) {
            const int n = kFirst + y * kStride + x;
            column[n] = u32(x);
            row[n] = u32(y);
            state[n] = u32(y * R + x + 1) * 2654435761u;
            inside[n] = 1;
        }
    const auto start = std::chrono::steady_clock::now();
    for (long cycle = 0; cycle < cycles; ++cycle) {
        runRouters(routers[cycle & 1], routers[~cycle & 1]);
        runNodes(routers[cycle & 1]);
        passOn();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const int last = kFirst + (R - 1) * kStride + R - 1;
    std::printf("result %u\nresult %u\nresult %u\n", allCounts[last], allSums[last],
                state[kFirst + R / 2 * kStride + R / 3]);
    std::printf("seconds %.6f\n", took.count());
}
