// What the hand-written programs share. Each takes the number of cycles, and prints `result VALUE`
// lines and `seconds S` of its loop.
#pragma once

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

using u32 = std::uint32_t;

inline std::uint64_t cyclesOf(int argc, char** argv) {
    if (argc < 2) std::exit(2);
    return std::strtoull(argv[1], nullptr, 10);
}

/// Zeroed memory on a cache line, with one line more after it; never freed.
template <typename T>
T* zeroed(std::size_t count) {
    const std::size_t bytes = (count * sizeof(T) + 127) / 64 * 64;
    void* memory = std::aligned_alloc(64, bytes);
    std::memset(memory, 0, bytes);
    return static_cast<T*>(memory);
}

inline void printResult(std::uint64_t value) {
    std::printf("result %llu\n", static_cast<unsigned long long>(value));
}

inline void printResult(double value) {
    char text[64];
    *std::to_chars(text, text + sizeof text - 1, value).ptr = 0;
    std::printf("result %s\n", text);
}

/// Calls step(cycle) that many times, and prints how long that took.
template <typename Step>
void timed(std::uint64_t cycles, Step&& step) {
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t k = 0; k < cycles; ++k)
        step(k);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("seconds %.9f\n", taken.count());
}

/// Calls step(read, written) with the two buffers exchanged after each cycle; gives the one to be
/// read next.
template <typename T, typename Step>
T* twoBuffers(std::uint64_t cycles, T* read, T* written, Step&& step) {
    timed(cycles, [&](std::uint64_t) {
        step(read, written);
        std::swap(read, written);
    });
    return read;
}

/// A ring of n words of which the first starts at 12345. Prints three of the last cycle.
template <typename Step>
void ring(std::size_t n, std::uint64_t cycles, Step&& step) {
    auto *a = zeroed<u32>(n), *b = zeroed<u32>(n);
    a[0] = 12345;
    const u32* end = twoBuffers(cycles, a, b, step);
    for (const std::size_t i : {std::size_t{0}, std::size_t{50}, n - 1})
        printResult(std::uint64_t{end[i]});
}
