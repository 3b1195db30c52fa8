// Packets with a CRC-32 behind them, made and checked byte by byte, as crc.sme has them.
#include <array>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr uint32_t polynomial = 0xEDB88320, residue = 0xDEBB20E3;

constexpr std::array<uint32_t, 256> makeTable() {
    std::array<uint32_t, 256> result{};
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit)
            crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
        result[i] = crc;
    }
    return result;
}

constexpr std::array<uint32_t, 256> table = makeTable();

uint32_t update(uint32_t crc, uint8_t data) { return table[uint8_t(crc ^ data)] ^ crc >> 8; }

uint32_t xorshift(uint32_t x) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

struct Byte {
    bool valid, last;
    uint8_t data;
};

struct Sender {
    enum class State : uint8_t { Gap, Body, Check } state;
    uint8_t left;
    uint32_t dice, crc, packets, bytes;

    Byte step() {
        switch (state) {
        case State::Gap: gap(); return {};
        case State::Body: return body();
        default: return check();
        }
    }

    void gap() {
        if (left > 0) {
            --left;
            return;
        }
        dice = xorshift(dice);
        left = 4 + dice % 128;
        crc = 0xFFFFFFFF;
        state = State::Body;
    }

    Byte body() {
        dice = xorshift(dice);
        const uint8_t data = dice >> 8;
        crc = update(crc, data);
        ++bytes;
        if (--left == 0) {
            crc = ~crc;
            left = 4;
            state = State::Check;
        }
        return {true, false, data};
    }

    Byte check() {
        const Byte result = {true, left == 1, uint8_t(crc)};
        crc >>= 8;
        if (--left == 0) {
            ++packets;
            left = dice % 16;
            state = State::Gap;
        }
        return result;
    }
};

struct Noise {
    uint32_t dice, errors;

    Byte step(Byte input) {
        if (!input.valid) return input;
        dice = xorshift(dice);
        if (dice % 512 == 0) {
            input.data ^= 1 << (dice >> 12 & 7);
            ++errors;
        }
        return input;
    }
};

struct Receiver {
    uint32_t crc, good, bad, sum;

    void step(Byte input) {
        if (!input.valid) return;
        crc = update(crc, input.data);
        if (!input.last) {
            sum += input.data;
            return;
        }
        if (crc == residue)
            ++good;
        else
            ++bad;
        sum = sum * 31 + crc;
        crc = 0xFFFFFFFF;
    }
};

struct Unit {
    Sender sender;
    Noise noise;
    Receiver receiver;
    Byte sent, received;

    void step() {
        receiver.step(received);
        received = noise.step(sent);
        sent = sender.step();
    }
};

int main(int argc, char** argv) {
    const uint32_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 64;
    const uint64_t cycles = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1000;
    std::vector<Unit> units(n);
    for (uint32_t i = 0; i < n; ++i) {
        units[i].sender.dice = (i + 1) * 2654435761u;
        units[i].sender.left = 3;
        units[i].noise.dice = 4294967295u - units[i].sender.dice;
        units[i].receiver.crc = 0xFFFFFFFF;
    }

    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 0; cycle < cycles; ++cycle)
        for (Unit& unit : units)
            unit.step();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    uint64_t packets = 0, bytes = 0, errors = 0, good = 0, bad = 0, sum = 0;
    for (const Unit& unit : units) {
        packets += unit.sender.packets;
        bytes += unit.sender.bytes;
        errors += unit.noise.errors;
        good += unit.receiver.good;
        bad += unit.receiver.bad;
        sum += unit.receiver.sum;
    }
    printf("packets %" PRIu64 " bytes %" PRIu64 " errors %" PRIu64 " good %" PRIu64 " bad %" PRIu64
           " sum %" PRIu64 "\n",
           packets, bytes, errors, good, bad, sum);
    fprintf(stderr, "%.1f cycles/s\n", cycles / seconds);
}
