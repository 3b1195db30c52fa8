// What this machine does, for the estimates: `probe BYTES` prints bytes/s loaded plus stored when
// a buffer of that many bytes is copied over and over, and u32 operations/s in vectors, scalar
// operations/s (eight independent chains), and divisions/s of doubles.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using Lanes = u32 __attribute__((vector_size(64)));

constexpr double kSeconds = 0.03;  // of one measurement; the best of five counts

/// Units of work per second; work() does `units` of them.
template <typename Work>
double rate(double units, Work&& work) {
    using Clock = std::chrono::steady_clock;
    double best = 0;
    for (int repeat = 0; repeat < 5; ++repeat) {
        const auto start = Clock::now();
        double seconds = 0;
        long rounds = 0;
        while (seconds < kSeconds) {
            work();
            ++rounds;
            seconds = std::chrono::duration<double>(Clock::now() - start).count();
        }
        best = std::max(best, units * static_cast<double>(rounds) / seconds);
    }
    return best;
}

double copied(std::size_t bytes) {
    const std::size_t half = std::max<std::size_t>(bytes / 8, 512);  // words
    const std::size_t times = std::max<std::size_t>(1, (1 << 18) / half);
    std::vector<u32> first(half, 1), second(half);
    return rate(8.0 * static_cast<double>(half * times), [&] {
        for (std::size_t k = 0; k < times; ++k) {
            const u32* __restrict from = first.data();
            u32* __restrict to = second.data();
#pragma GCC ivdep
            for (std::size_t i = 0; i < half; ++i)
                to[i] = from[i] ^ 1;  // not a call of memcpy
            asm volatile("" ::"r"(to), "r"(from) : "memory");
        }
    });
}

double vectorAdditions() {
    static Lanes seed = {1, 2, 3};
    return rate(2.0 * 8 * 16 * 4096, [] {
        Lanes x[8];
        const Lanes more = seed, flip = seed << 3;
        for (int i = 0; i < 8; ++i)
            x[i] = seed + static_cast<u32>(i);
        for (int k = 0; k < 4096; ++k) {
#pragma GCC unroll 8
            for (int i = 0; i < 8; ++i)
                x[i] = (x[i] + more) ^ flip;
        }
        for (const Lanes& value : x)
            seed ^= value;
    });
}

double scalarOperations() {
    static u64 seed = 1;
    return rate(8.0 * 3 * 4096, [] {
        u64 x[8];
        for (int i = 0; i < 8; ++i)
            x[i] = seed + static_cast<u64>(i);
        for (int k = 0; k < 4096; ++k) {
#pragma GCC unroll 8
            for (int i = 0; i < 8;
                 ++i) {  // a statement that may change x[i] keeps the operations apart and scalar
                x[i] += 3;
                asm("" : "+r"(x[i]));
                x[i] ^= 5;
                asm("" : "+r"(x[i]));
                x[i] += 7;
                asm("" : "+r"(x[i]));
            }
        }
        for (const u64 value : x)
            seed ^= value;
    });
}

double divisions() {
    static double start = 1e300;
    return rate(4096, [] {
        double t = start;
        for (int k = 0; k < 4096; ++k)
            t /= 1.0000001;
        asm volatile("" ::"x"(t));
    });
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t bytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1 << 20;
    std::printf("bytes %.6g\nvector %.6g\nscalar %.6g\ndivide %.6g\n", copied(bytes),
                vectorAdditions(), scalarOperations(), divisions());
}
