// N chains of DEPTH functions and a register: a block of chains at a time, so that its values stay
// in vector registers.
#include "limit.hpp"

static constexpr std::size_t kBlock = 64, kChains = (N + kBlock - 1) / kBlock * kBlock;

static void stepBlock(u32* __restrict value, u32 first) {
    u32 v[kBlock];
    std::memcpy(v, value, sizeof v);
    for (u32 i = 0; i < DEPTH; ++i)
        for (u32 c = 0; c < kBlock; ++c)
            v[c] = (v[c] ^ (v[c] >> 3)) + (first + c) * DEPTH + i;
    for (u32 c = 0; c < kBlock; ++c)
        value[c] = v[c] + 1;
}

int main(int argc, char** argv) {
    u32* value = zeroed<u32>(kChains);
    timed(cyclesOf(argc, argv), [&](std::uint64_t) {
        for (u32 c = 0; c < kChains; c += kBlock)
            stepBlock(value + c, c);
    });
    for (const std::size_t i : {0, N / 2, N - 1})
        printResult(std::uint64_t{value[i]});
}
