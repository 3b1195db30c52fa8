// cpu.sme by hand: the program is decoded once, and a function takes a core through a cycle, from
// the last stage to the first so that nothing is kept twice. Cores side by side in vectors were
// slower: their memories are not. C: cores. Reads cpu.hex beside this file. Prints result0 ...
// result2 as cpu.sme names them.
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

constexpr int kWords = 128;  // of the program

enum Kind : u32 { kNone, kLui, kAuipc, kJal, kJalr, kBranch, kLoad, kStore, kImmediate, kRegister };

// A decoded instruction beside its immediate: kind in bits 0 to 3, funct 4 to 6, other 7, rd 8 to
// 12, rs1 13 to 17, rs2 18 to 22.
u32 program[kWords], immediates[kWords];

struct alignas(64) Core {
    u32 pc{}, seed{};
    u32 fetched{}, fetchedPc{}, fetchedOp{}, fetchedImm{};
    u32 ready{}, readyPc{}, readyOp{}, readyImm{}, a{}, b{};
    u32 back{}, rd{}, value{};
    u32 result{}, retired{};
    std::array<u32, 33> file{};  // the last takes what is not to be written
    std::array<u32, 513> ram{};  // likewise
};

std::vector<Core> cores(C);
std::vector<u32> sums(C + 1), counts(C + 1);

u32 sign(u32 x, int bits) { return u32(i32(x << (32 - bits)) >> (32 - bits)); }

void decode(u32 word, u32& op, u32& imm) {
    u32 kind = kNone;
    imm = sign(word >> 20, 12);
    switch (word & 0x7F) {
    case 0x37: kind = kLui, imm = word & 0xFFFFF000; break;
    case 0x17: kind = kAuipc, imm = word & 0xFFFFF000; break;
    case 0x6F:
        kind = kJal;
        imm = sign(word >> 31 << 20 | (word >> 12 & 0xFF) << 12 | (word >> 20 & 1) << 11
                       | (word >> 21 & 0x3FF) << 1,
                   21);
        break;
    case 0x67: kind = kJalr; break;
    case 0x63:
        kind = kBranch;
        imm = sign(word >> 31 << 12 | (word >> 7 & 1) << 11 | (word >> 25 & 0x3F) << 5
                       | (word >> 8 & 15) << 1,
                   13);
        break;
    case 0x03: kind = kLoad; break;
    case 0x23: kind = kStore, imm = sign(word >> 25 << 5 | (word >> 7 & 31), 12); break;
    case 0x13: kind = kImmediate; break;
    case 0x33: kind = kRegister; break;
    }
    const u32 funct = word >> 12 & 7,
              other = word >> 30 & 1 & u32(kind == kRegister || (kind == kImmediate && funct == 5));
    op = kind | funct << 4 | other << 7 | (word >> 7 & 31) << 8 | (word >> 15 & 31) << 13
         | (word >> 20 & 31) << 18;
}

// What the stage that executes finds out.
struct Executed {
    u32 value, address, data, taken, target;
};

inline Executed execute(u32 valid, u32 op, u32 pc, u32 imm, u32 a, u32 b) {
    const u32 kind = op & 15, funct = op >> 4 & 7, other = op >> 7 & 1;
    const u32 second = kind == kImmediate ? imm : b, count = second & 31;
    const u32 less = i32(a) < i32(second), below = a < second;
    u32 value = other ? a - second : a + second;
    value = funct == 1 ? a << count : value;
    value = funct == 2 ? less : value;
    value = funct == 3 ? below : value;
    value = funct == 4 ? a ^ second : value;
    value = funct == 5 ? (other ? u32(i32(a) >> count) : a >> count) : value;
    value = funct == 6 ? a | second : value;
    value = funct == 7 ? a & second : value;
    value = kind == kLui ? imm : value;
    value = kind == kAuipc ? pc + imm : value;
    value = (kind == kJal) | (kind == kJalr) ? pc + 4 : value;
    const u32 compared = (funct & 6) == 0 ? u32(a == b) : (funct & 6) == 4 ? less : below;
    const u32 branches = (compared ^ funct) & u32((funct & 6) != 2) & u32(kind == kBranch);
    const u32 taken = valid & (u32(kind == kJal) | u32(kind == kJalr) | branches);
    return {value, a + imm, b, taken, kind == kJalr ? (a + imm) & ~1u : pc + imm};
}

inline u32 extend(u32 word, u32 funct) {
    u32 value = word;
    value = funct == 0 ? sign(word, 8) : value;
    value = funct == 1 ? sign(word, 16) : value;
    value = funct == 4 ? word & 0xFF : value;
    value = funct == 5 ? word & 0xFFFF : value;
    return value;
}

void run(Core& core) {
    // The stage that executes.
    const u32 op = core.readyOp, valid = core.ready, back = core.back;
    const u32 backRd = core.rd, backValue = core.value;
    const u32 a = (back & u32(backRd == (op >> 13 & 31))) ? backValue : core.a;
    const u32 b = (back & u32(backRd == (op >> 18 & 31))) ? backValue : core.b;
    const Executed done = execute(valid, op, core.readyPc, core.readyImm, a, b);

    const u32 kind = op & 15, funct = op >> 4 & 7, rd = op >> 8 & 31;
    const bool loads = (valid & u32(kind == kLoad)) != 0,
               stores = (valid & u32(kind == kStore)) != 0;
    const bool port = (done.address >> 11 & 1) != 0;
    const u32 shift = (done.address & 3) * 8;
    const u32 index = (loads | stores) & !port ? done.address >> 2 & 511 : 512;
    const u32 old = core.ram[index];
    const u32 mask = (funct == 0 ? 0xFFu : funct == 1 ? 0xFFFFu : ~0u) << shift;
    core.ram[index] = stores ? (old & ~mask) | (done.data << shift & mask) : old;
    core.result = stores & port ? done.data : core.result;
    core.value = loads ? extend((port ? core.seed : old) >> shift, funct) : done.value;
    core.rd = rd;
    core.back =
        valid & u32(rd != 0) & u32(kind != kNone) & u32(kind != kBranch) & u32(kind != kStore);
    core.retired += valid;

    // The stage that reads the registers.
    core.file[back ? backRd : 32] = backValue;
    const u32 fetchedOp = core.fetchedOp;
    core.ready = core.fetched & ~done.taken;
    core.readyPc = core.fetchedPc;
    core.readyOp = fetchedOp;
    core.readyImm = core.fetchedImm;
    core.a = core.file[fetchedOp >> 13 & 31];
    core.b = core.file[fetchedOp >> 18 & 31];

    // The stage that fetches.
    const u32 pc = done.taken ? done.target : core.pc;
    core.fetched = 1;
    core.fetchedPc = pc;
    core.fetchedOp = program[pc >> 2 & (kWords - 1)];
    core.fetchedImm = immediates[pc >> 2 & (kWords - 1)];
    core.pc = pc + 4;
}

// From the last to the first, so that each finds what the one before it passed on a cycle ago.
void passOn(std::vector<u32>& totals, u32 Core::*own) {
    for (int n = C - 1; n >= 0; --n)
        totals[n + 1] = totals[n] + cores[n].*own;
}

}  // namespace

int main(int, char** argv) {
    const long cycles = std::atol(argv[1]);
    std::ifstream hex(std::filesystem::path(__FILE__).replace_filename("cpu.hex"));
    std::string word;
    for (int i = 0; i < kWords; ++i)
        decode(hex >> word ? u32(std::stoul(word, nullptr, 16)) : 0, program[i], immediates[i]);
    for (int i = 0; i < C; ++i)
        cores[i].seed = u32(i + 1) * 2654435761u;
    const auto start = std::chrono::steady_clock::now();
    for (long cycle = 0; cycle < cycles; ++cycle) {
        passOn(sums, &Core::result);
        for (Core& core : cores)
            run(core);
        passOn(counts, &Core::retired);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("result %u\nresult %u\nresult %u\n", sums[C], counts[C], cores[C - 1].fetchedPc);
    std::printf("seconds %.6f\n", took.count());
}
