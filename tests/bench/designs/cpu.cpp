// cpu.sme by hand: the program is decoded once, and 16 cores go through each cycle together without branches, their
// registers and memories side by side; they do not have to be at the same place. A single core branches.
// C: cores. Reads cpu.hex beside this file. Prints result0 ... result2 as cpu.sme names them.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#ifndef C
#define C 1
#endif

namespace {

using u32 = std::uint32_t;
using i32 = std::int32_t;

constexpr int kLanes = C < 16 ? C : 16;
constexpr int kBlocks = (C + kLanes - 1) / kLanes;
constexpr int kWords = 128;     // of the program

enum Kind : u32 { kNone, kLui, kAuipc, kJal, kJalr, kBranch, kLoad, kStore, kImmediate, kRegister };

// A decoded instruction beside its immediate: kind in bits 0 to 3, funct 4 to 6, other 7, rd 8 to 12, rs1 13 to 17,
// rs2 18 to 22.
u32 program[kWords], immediates[kWords];

using Lane = std::array<u32, kLanes>;

struct alignas(64) Block {
    Lane pc{}, seed{};
    Lane fetched{}, fetchedPc{}, fetchedOp{}, fetchedImm{};
    Lane ready{}, readyPc{}, readyOp{}, readyImm{}, a{}, b{};
    Lane back{}, rd{}, value{};
    Lane result{}, retired{};
    std::array<Lane, 33> file{};        // the last takes what is not to be written
    std::array<Lane, 513> ram{};
};

std::vector<Block> blocks(kBlocks);
std::vector<u32> sums(kBlocks * kLanes + 1), counts(kBlocks * kLanes + 1);

u32 sign(u32 x, int bits) { return u32(i32(x << (32 - bits)) >> (32 - bits)); }

void decode(u32 word, u32& op, u32& imm) {
    u32 kind = kNone;
    imm = sign(word >> 20, 12);
    switch (word & 0x7F) {
    case 0x37: kind = kLui, imm = word & 0xFFFFF000; break;
    case 0x17: kind = kAuipc, imm = word & 0xFFFFF000; break;
    case 0x6F:
        kind = kJal;
        imm = sign(word >> 31 << 20 | (word >> 12 & 0xFF) << 12 | (word >> 20 & 1) << 11 | (word >> 21 & 0x3FF) << 1, 21);
        break;
    case 0x67: kind = kJalr; break;
    case 0x63:
        kind = kBranch;
        imm = sign(word >> 31 << 12 | (word >> 7 & 1) << 11 | (word >> 25 & 0x3F) << 5 | (word >> 8 & 15) << 1, 13);
        break;
    case 0x03: kind = kLoad; break;
    case 0x23: kind = kStore, imm = sign(word >> 25 << 5 | (word >> 7 & 31), 12); break;
    case 0x13: kind = kImmediate; break;
    case 0x33: kind = kRegister; break;
    }
    const u32 funct = word >> 12 & 7, other = word >> 30 & 1 & u32(kind == kRegister || (kind == kImmediate && funct == 5));
    op = kind | funct << 4 | other << 7 | (word >> 7 & 31) << 8 | (word >> 15 & 31) << 13 | (word >> 20 & 31) << 18;
}

// c ? x : y, c 0 or 1. A compiler keeps such a chain of conditions as branches unless it is told so.
inline u32 pick(u32 c, u32 x, u32 y) {
    if constexpr (kLanes == 1) return c ? x : y;
    return y ^ ((x ^ y) & -c);
}

// What the stage that executes finds out.
struct Executed {
    u32 value, address, data, taken, target;
};

inline Executed execute(u32 valid, u32 op, u32 pc, u32 imm, u32 a, u32 b) {
    const u32 kind = op & 15, funct = op >> 4 & 7, other = op >> 7 & 1;
    const u32 second = pick(kind == kImmediate, imm, b), count = second & 31;
    const u32 less = i32(a) < i32(second), below = a < second;
    u32 value = pick(other, a - second, a + second);
    value = pick(funct == 1, a << count, value);
    value = pick(funct == 2, less, value);
    value = pick(funct == 3, below, value);
    value = pick(funct == 4, a ^ second, value);
    value = pick(funct == 5, pick(other, u32(i32(a) >> count), a >> count), value);
    value = pick(funct == 6, a | second, value);
    value = pick(funct == 7, a & second, value);
    value = pick(kind == kLui, imm, value);
    value = pick(kind == kAuipc, pc + imm, value);
    value = pick((kind == kJal) | (kind == kJalr), pc + 4, value);
    const u32 ordered = pick((funct & 6) == 4, less, below);
    const u32 compared = pick((funct & 6) == 0, u32(a == b), ordered);
    const u32 branches = (compared ^ funct) & u32((funct & 6) != 2) & u32(kind == kBranch);
    const u32 taken = valid & (u32(kind == kJal) | u32(kind == kJalr) | branches);
    return {value, a + imm, b, taken, pick(kind == kJalr, (a + imm) & ~1u, pc + imm)};
}

inline u32 extend(u32 word, u32 funct) {
    u32 value = word;
    value = pick(funct == 0, sign(word, 8), value);
    value = pick(funct == 1, sign(word, 16), value);
    value = pick(funct == 4, word & 0xFF, value);
    value = pick(funct == 5, word & 0xFFFF, value);
    return value;
}

void run(Block& block) {
    u32* __restrict ram = block.ram[0].data();
    u32* __restrict file = block.file[0].data();
#pragma GCC ivdep
    for (int n = 0; n < kLanes; ++n) {
        // The stage that executes.
        const u32 op = block.readyOp[n], valid = block.ready[n], back = block.back[n];
        const u32 backRd = block.rd[n], backValue = block.value[n], readA = block.a[n], readB = block.b[n];
        const u32 a = pick(back & u32(backRd == (op >> 13 & 31)), backValue, readA);
        const u32 b = pick(back & u32(backRd == (op >> 18 & 31)), backValue, readB);
        const Executed done = execute(valid, op, block.readyPc[n], block.readyImm[n], a, b);

        const u32 kind = op & 15, funct = op >> 4 & 7, rd = op >> 8 & 31;
        const u32 loads = valid & u32(kind == kLoad), stores = valid & u32(kind == kStore);
        const u32 port = done.address >> 11 & 1;
        const u32 shift = (done.address & 3) * 8;
        const u32 index = pick((loads | stores) & ~port, done.address >> 2 & 511, 512);
        const u32 old = ram[index * kLanes + n];
        const u32 mask = pick(funct == 0, 0xFF, pick(funct == 1, 0xFFFF, ~0u)) << shift;
        ram[index * kLanes + n] = pick(stores, (old & ~mask) | (done.data << shift & mask), old);
        const u32 result = block.result[n], seed = block.seed[n];
        block.result[n] = pick(stores & port, done.data, result);
        const u32 loaded = extend(pick(port, seed, old) >> shift, funct);
        block.value[n] = pick(loads, loaded, done.value);
        block.rd[n] = rd;
        block.back[n] = valid & u32(rd != 0) & u32(kind != kNone) & u32(kind != kBranch) & u32(kind != kStore);
        block.retired[n] += valid;

        // The stage that reads the registers.
        file[pick(back, backRd, 32) * kLanes + n] = backValue;
        const u32 fetchedOp = block.fetchedOp[n];
        block.ready[n] = block.fetched[n] & ~done.taken;
        block.readyPc[n] = block.fetchedPc[n];
        block.readyOp[n] = fetchedOp;
        block.readyImm[n] = block.fetchedImm[n];
        block.a[n] = file[(fetchedOp >> 13 & 31) * kLanes + n];
        block.b[n] = file[(fetchedOp >> 18 & 31) * kLanes + n];

        // The stage that fetches.
        const u32 next = block.pc[n], pc = pick(done.taken, done.target, next);
        block.fetched[n] = 1;
        block.fetchedPc[n] = pc;
        block.fetchedOp[n] = program[pc >> 2 & (kWords - 1)];
        block.fetchedImm[n] = immediates[pc >> 2 & (kWords - 1)];
        block.pc[n] = pc + 4;
    }
}

// From the last to the first, so that each finds what the one before it passed on a cycle ago.
void passOn(std::vector<u32>& totals, Lane Block::*own) {
    for (int block = kBlocks - 1; block >= 0; --block) {
        const Lane& lane = blocks[block].*own;
        u32* __restrict total = totals.data() + block * kLanes;
        Lane passed;
        for (int n = 0; n < kLanes; ++n) passed[n] = total[n] + lane[n];
        for (int n = 0; n < kLanes; ++n) total[n + 1] = passed[n];
    }
}

}  // namespace

int main(int, char** argv) {
    const long cycles = std::atol(argv[1]);
    std::ifstream hex(std::filesystem::path(__FILE__).replace_filename("cpu.hex"));
    std::string word;
    for (int i = 0; i < kWords; ++i) decode(hex >> word ? u32(std::stoul(word, nullptr, 16)) : 0, program[i], immediates[i]);
    for (int i = 0; i < kBlocks * kLanes; ++i) blocks[i / kLanes].seed[i % kLanes] = u32(i + 1) * 2654435761u;
    const auto start = std::chrono::steady_clock::now();
    for (long cycle = 0; cycle < cycles; ++cycle) {
        passOn(sums, &Block::result);
        for (Block& block : blocks) run(block);
        passOn(counts, &Block::retired);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("result %u\nresult %u\nresult %u\n", sums[C], counts[C], blocks[(C - 1) / kLanes].fetchedPc[(C - 1) % kLanes]);
    std::printf("seconds %.6f\n", took.count());
}
