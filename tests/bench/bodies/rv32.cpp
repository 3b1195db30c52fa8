// Small RV32I cores that take several cycles for an instruction, with the program of rv32.sme.
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

constexpr uint32_t wordCount = 256;

constexpr uint32_t program[] = {
    0x9e378ab7, 0x9b9a8a93, 0x3fc02403, 0x20000493, 0x00000913, 0x0c0000ef, 0x0084a023, 0x00448493,
    0x00190913, 0x02092293, 0xfe0296e3, 0x00400913, 0x20092303, 0xffc90993, 0x0009cc63, 0x2009a383,
    0x00735863, 0x2079a223, 0xffc98993, 0xfedff06f, 0x2069a223, 0x00490913, 0x08092293, 0xfc029ae3,
    0x00000913, 0x3f802a03, 0x20094303, 0x20190383, 0x20291e03, 0x005a1e93, 0x01ba5f13, 0x01eeea33,
    0x006a0a33, 0x407a0a33, 0x01ca4a33, 0x407a5e93, 0x0ffefe93, 0x01da0a33, 0x00490913, 0x08093293,
    0xfc0294e3, 0x015a0a33, 0x3f402c23, 0x3f400a23, 0x3f401923, 0x3f405303, 0x014333b3, 0xf40388e3,
    0x55544413, 0xf46474e3, 0x00000e17, 0x01c40433, 0xf3dff06f, 0x00d41f93, 0x01f44433, 0x01145f93,
    0x01f44433, 0x00541f93, 0x01f44433, 0x00008067};

enum class State : uint8_t { Fetch, Decode, Execute, Memory, WriteBack };

enum Opcode : uint8_t {
    Load = 0x03,
    Immediate = 0x13,
    Auipc = 0x17,
    Store = 0x23,
    Register = 0x33,
    Lui = 0x37,
    Branch = 0x63,
    Jalr = 0x67,
    Jal = 0x6F
};

uint32_t immediate(uint32_t code) {
    const uint32_t sign = code >> 31 ? ~0u : 0;
    switch (code & 0x7F) {
    case Lui:
    case Auipc: return code & 0xFFFFF000;
    case Jal:
        return sign << 20 | (code & 0xFF000) | (code >> 20 & 1) << 11 | (code >> 21 & 0x3FF) << 1;
    case Branch:
        return sign << 12 | (code >> 7 & 1) << 11 | (code >> 25 & 0x3F) << 5
               | (code >> 8 & 15) << 1;
    case Store: return sign << 11 | (code >> 25 & 0x3F) << 5 | (code >> 7 & 31);
    default: return int32_t(code) >> 20;
    }
}

uint32_t alu(uint32_t what, bool other, uint32_t a, uint32_t b) {
    switch (what) {
    case 0: return other ? a - b : a + b;
    case 1: return a << (b & 31);
    case 2: return int32_t(a) < int32_t(b);
    case 3: return a < b;
    case 4: return a ^ b;
    case 5: return other ? int32_t(a) >> (b & 31) : a >> (b & 31);
    case 6: return a | b;
    default: return a & b;
    }
}

bool taken(uint32_t what, uint32_t a, uint32_t b) {
    switch (what) {
    case 0: return a == b;
    case 1: return a != b;
    case 4: return int32_t(a) < int32_t(b);
    case 5: return int32_t(a) >= int32_t(b);
    case 6: return a < b;
    case 7: return a >= b;
    default: return false;
    }
}

struct Core {
    uint32_t memory[wordCount];
    uint32_t registers[32];
    uint32_t pc, code, a, b, offset, address, result;
    State state;
    uint32_t instructions, jumps, loads, stores, sum;

    uint32_t opcode() const { return code & 0x7F; }
    uint32_t function() const { return code >> 12 & 7; }

    void step() {
        switch (state) {
        case State::Fetch:
            code = memory[pc >> 2 & 255];
            state = State::Decode;
            break;
        case State::Decode:
            a = registers[code >> 15 & 31];
            b = registers[code >> 20 & 31];
            offset = immediate(code);
            state = State::Execute;
            break;
        case State::Execute: execute(); break;
        case State::Memory:
            if (opcode() == Load)
                load();
            else
                store();
            break;
        case State::WriteBack:
            if (const uint32_t target = code >> 7 & 31) registers[target] = result;
            finish(opcode() == Jal || opcode() == Jalr ? pc : pc + 4);
            break;
        }
    }

    void finish(uint32_t next) {
        pc = next;
        ++instructions;
        state = State::Fetch;
    }

    void execute() {
        address = a + offset;
        state = State::WriteBack;
        switch (opcode()) {
        case Lui: result = offset; break;
        case Auipc: result = pc + offset; break;
        case Register: result = alu(function(), code >> 30 & 1, a, b); break;
        case Immediate:
            result = alu(function(), function() == 5 && (code >> 30 & 1), a, offset);
            break;
        case Load:
        case Store: state = State::Memory; break;
        case Jal:
        case Jalr:
            result = pc + 4;
            pc = opcode() == Jal ? pc + offset : address & ~1u;
            ++jumps;
            break;
        case Branch:
            if (taken(function(), a, b)) {
                ++jumps;
                finish(pc + offset);
            } else {
                finish(pc + 4);
            }
            break;
        }
    }

    void load() {
        const uint32_t word = memory[address >> 2 & 255];
        const uint32_t byte = word >> 8 * (address & 3), half = word >> 16 * (address >> 1 & 1);
        switch (function()) {
        case 0: result = int8_t(byte); break;
        case 1: result = int16_t(half); break;
        case 4: result = uint8_t(byte); break;
        case 5: result = uint16_t(half); break;
        default: result = word; break;
        }
        ++loads;
        state = State::WriteBack;
    }

    void store() {
        uint32_t& word = memory[address >> 2 & 255];
        const uint32_t width = function() == 0 ? 8 : function() == 1 ? 16 : 32;
        if (width == 32) {
            word = b;
        } else {
            const uint32_t shift = 8 * (address & 3 & ~(width / 8 - 1));
            const uint32_t mask = ((1u << width) - 1) << shift;
            word = (word & ~mask) | (b << shift & mask);
        }
        ++stores;
        sum = sum * 31 + word;
        finish(pc + 4);
    }
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 16;
    const uint64_t cycles = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1000;
    std::vector<Core> cores(n);
    for (uint32_t i = 0; i < n; ++i) {
        std::copy(std::begin(program), std::end(program), cores[i].memory);
        cores[i].memory[255] = (i + 1) * 2654435761u;
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle)
        for (Core& core : cores)
            core.step();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t instructions = 0, jumps = 0, loads = 0, stores = 0, sum = 0;
    for (const Core& core : cores) {
        instructions += core.instructions;
        jumps += core.jumps;
        loads += core.loads;
        stores += core.stores;
        sum += core.sum;
    }
    printf("instructions %" PRIu64 " jumps %" PRIu64 " loads %" PRIu64 " stores %" PRIu64
           " sum %" PRIu64 "\n",
           instructions, jumps, loads, stores, sum);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
