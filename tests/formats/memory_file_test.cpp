#include "formats/memory_file.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <vector>

using namespace sme;

namespace {

struct Loaded {
    MemoryProblem problem;
    std::vector<std::vector<std::uint64_t>> words;
};

Loaded load(const std::string& text, const MemoryShape& shape, const std::string& name) {
    std::ofstream(name, std::ios::binary) << text;
    Loaded loaded;
    loaded.words.resize(shape.words);
    loaded.problem = readMemoryFile(
        name, shape, [&](std::uint64_t address, std::span<const std::uint64_t> limbs) {
            loaded.words[address].assign(limbs.begin(), limbs.end());
            return limbs[0] != 13;
        });
    std::remove(name.c_str());
    return loaded;
}

}  // namespace

TEST_CASE("memory files: words, addresses and comments") {
    const Loaded hex = load("1 /* a\n b */2_f // c 9\r\n@3 fF/**/00", {6, 8}, "memory_file_a.hex");
    CHECK(hex.problem.status == 0);
    CHECK(hex.words == decltype(hex.words){{1}, {0x2f}, {}, {0xff}, {0}, {}});
    const Loaded bits = load("@1 101 1_1", {3, 3}, "memory_file_a.bin");
    CHECK(bits.problem.status == 0);
    CHECK(bits.words == decltype(bits.words){{}, {5}, {3}});
    const Loaded wide = load("1_0000000000000000_0000000000000002", {1, 129}, "memory_file_w.hex");
    CHECK(wide.problem.status == 0);
    CHECK(wide.words == decltype(wide.words){{2, 0, 1}});
    CHECK(load("/* open", {1, 1}, "memory_file_o.hex").problem.status == 0);
}

TEST_CASE("memory files: what is wrong has a place") {
    const auto problem = [](const std::string& text, const MemoryShape& shape) {
        const Loaded loaded = load(text, shape, "memory_file_b.hex");
        CHECK(loaded.problem.status == 1);
        return loaded.problem.message;
    };
    CHECK(problem("0\n\n 1g", {4, 8})
          == "memory_file_b.hex:3:3: error: 'g' is no hexadecimal digit");
    CHECK(problem("2_0000000000000000", {1, 65})
          == "memory_file_b.hex:1:1: error: '2_0000000000000000' has more than 65 bits");
    CHECK(problem("0 0 d", {4, 8})
          == "memory_file_b.hex:1:5: error: 'd' is no value of the memory's type");
    CHECK(problem("@4", {4, 8}).find("address 0x4 is beyond the memory, which has 4 words")
          != std::string::npos);
    CHECK(readMemoryFile("memory_file_missing.hex", {1, 1}, {}).status == 3);
}

TEST_CASE("memory files: PATH=FILE") {
    const auto option = readMemoryOption("a.b[1]=c=d.hex");
    REQUIRE(option);
    CHECK(option->path == "a.b[1]");
    CHECK(option->file == "c=d.hex");
    for (const char* wrong : {"", "a", "a=", "=b"})
        CHECK_FALSE(readMemoryOption(wrong));
}
