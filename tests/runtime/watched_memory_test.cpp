// What a watched region of memory reports is what differs.

#include "trace/watched_memory.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

using namespace sme;

namespace {

/// Memory of random bytes with values of many sizes in it, some of them with two numbers.
struct RandomMemory {
    explicit RandomMemory(std::mt19937& random) {
        constexpr std::uint32_t kSizes[] = {1, 2, 4, 8, 16, 200};
        std::uint64_t at = random() % 200;
        const std::uint32_t count = random() % 2 == 0 ? 60 : 600;  // more than a stretch of lines
        for (std::uint32_t number = 0; number < count; ++number) {
            const std::uint32_t bytes = kSizes[random() % std::size(kSizes)];
            const std::uint64_t align = std::min<std::uint32_t>(bytes, 8);
            at = (at + align - 1) / align * align;
            scalars.push_back({at, bytes, number});
            if (random() % 5 == 0) scalars.push_back({at, bytes, ++number});
            at += bytes + (random() % 3 == 0 ? random() % 150 : 0);
        }
        memory.resize(at + 128);
    }
    std::vector<WatchedMemory::Scalar> scalars;
    std::vector<std::byte> memory;
};

/// Takes what is found, and sees that it is what is there.
struct Collecting {
    const RandomMemory& region;
    std::set<std::uint32_t> numbers{};

    struct Told {
        Collecting& to;
        std::size_t left;
        void operator()(std::uint32_t number, std::uint64_t value, std::uint32_t bytes,
                        bool isNew) {
            CHECK(left-- > 0);
            if (isNew) to(number, reinterpret_cast<const std::byte*>(&value), bytes);
        }
    };
    Told begin(std::size_t most) { return {*this, most}; }
    void end(const Told&) {}
    void operator()(std::uint32_t number, const std::byte* value, std::uint32_t bytes) {
        CHECK(numbers.insert(number).second);
        for (const auto& scalar : region.scalars) {
            if (scalar.number != number) continue;
            CHECK(bytes == scalar.bytes);
            CHECK(std::memcmp(value, region.memory.data() + scalar.offset, bytes) == 0);
        }
    }
};

std::set<std::uint32_t> found(WatchedMemory& watched, const RandomMemory& region) {
    Collecting collecting{region};
    watched.compare(region.memory.data(), collecting);
    return collecting.numbers;
}

std::set<std::uint32_t> different(const RandomMemory& region,
                                  const std::vector<std::byte>& before) {
    std::set<std::uint32_t> numbers;
    for (const auto& scalar : region.scalars) {
        const auto from = static_cast<std::ptrdiff_t>(scalar.offset);
        if (!std::equal(before.begin() + from, before.begin() + from + scalar.bytes,
                        region.memory.begin() + from))
            numbers.insert(scalar.number);
    }
    return numbers;
}

}  // namespace

TEST_CASE("watched memory: all at first, then what differs") {
    std::mt19937 random(3);
    const std::vector<WatchedMemory::Compare> comparisons = WatchedMemory::comparisons();
    for (std::size_t round = 0; round < 60; ++round) {
        RandomMemory region(random);
        auto shuffled = region.scalars;
        std::shuffle(shuffled.begin(), shuffled.end(), random);
        WatchedMemory watched(shuffled, comparisons[round % comparisons.size()]);
        CHECK(found(watched, region).size() == region.scalars.size());
        CHECK(found(watched, region).empty());
        for (int step = 0; step < 20; ++step) {
            const std::vector<std::byte> before = region.memory;
            const std::size_t changes = random() % 40;
            for (std::size_t i = 0; i < changes; ++i)
                region.memory[random() % region.memory.size()] = static_cast<std::byte>(random());
            CHECK(found(watched, region) == different(region, before));
        }
    }
}

TEST_CASE("watched memory: nothing to watch") {
    WatchedMemory watched({});
    CHECK(watched.isEmpty());
    std::mt19937 random(1);
    const RandomMemory other(random);
    Collecting collecting{other};
    watched.compare(nullptr, collecting);
    CHECK(collecting.numbers.empty());
}
