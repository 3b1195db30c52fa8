// What the programs around translated Verilog share: the number of cycles in, `result VALUE` lines
// and `seconds S` out. results.inc, written beside the translation, has a line RESULT(resultK) for
// each output.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

inline void printResult(std::uint64_t value) {
    std::printf("result %llu\n", static_cast<unsigned long long>(value));
}

/// Calls cycle() as often as the first argument says, and prints how long that took.
template <typename Cycle>
void timed(int argc, char** argv, Cycle&& cycle) {
    if (argc < 2) std::exit(2);
    const std::uint64_t cycles = std::strtoull(argv[1], nullptr, 10);
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t k = 0; k < cycles; ++k)
        cycle();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("seconds %.9f\n", taken.count());
}
