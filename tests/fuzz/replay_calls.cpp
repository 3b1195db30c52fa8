#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "fuzz/calls.h"

// Sequences of calls that are the same each time, or those of files as libFuzzer leaves them:
//
//     replay_calls 2000            so many sequences
//     replay_calls crash-da39a3ee
//
// What is wrong ends the process.

namespace {

constexpr unsigned kTold = 500;

void replaySequences(unsigned count) {
    for (unsigned seed = 0; seed < count; ++seed) {
        if (seed % kTold == 0) std::printf("sequences from %u on\n", seed);
        std::fflush(stdout);
        std::mt19937 random(seed);
        std::vector<std::uint8_t> bytes(2 + random() % 200);
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(random());
        smec::test::checkCalls(bytes);
    }
    std::printf("%u sequences passed\n", count);
}

}  // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        char* end = nullptr;
        const unsigned long count = std::strtoul(argv[i], &end, 10);
        if (*end == 0) {
            replaySequences(static_cast<unsigned>(count));
            continue;
        }
        std::ifstream file(argv[i], std::ios::binary);
        if (!file) {
            std::fprintf(stderr, "cannot read '%s'\n", argv[i]);
            return 1;
        }
        std::printf("%s\n", argv[i]);
        const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
        smec::test::checkCalls({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    }
    return argc > 1 ? 0 : 1;
}
