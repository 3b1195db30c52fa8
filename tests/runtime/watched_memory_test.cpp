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
            scalars.push_back({at, bytes});
            if (random() % 5 == 0) scalars.push_back({at, bytes});
            at += bytes + (random() % 3 == 0 ? random() % 150 : 0);
        }
        memory.resize(at / 8 * 8 + 128);
    }
    std::vector<WatchedMemory::Scalar> scalars;
    std::vector<std::byte> memory;
};

/// The image of a region as it is put together from the words that are found.
struct Collecting {
    std::uint32_t firstWord;
    std::vector<std::uint64_t> image;
    std::set<std::uint32_t> words{};

    struct Words {
        std::uint64_t* values;
        std::uint16_t* numbers;
    };
    Words add(std::uint32_t first, std::uint32_t count) {
        take();
        givenFirst = first;
        givenValues.assign(count, 0);
        givenNumbers.assign(count, 0);
        return {givenValues.data(), givenNumbers.data()};
    }
    void take() {
        for (std::size_t i = 0; i < givenValues.size(); ++i) {
            const std::uint32_t word = givenFirst + givenNumbers[i] - firstWord;
            CHECK(words.insert(word).second);
            image.at(word) = givenValues[i];
        }
        givenValues.clear();
    }

    std::uint32_t givenFirst = 0;
    std::vector<std::uint64_t> givenValues{};
    std::vector<std::uint16_t> givenNumbers{};
};

constexpr std::uint32_t kFirstWord = 1000;

/// Numbers of scalars in words that were found, which must be what is there.
std::set<std::uint32_t> found(WatchedMemory& watched, const RandomMemory& region,
                              std::vector<std::uint64_t>& image,
                              const std::vector<std::byte>* before) {
    Collecting collecting{kFirstWord, image};
    const std::byte* const past = before && !before->empty() ? before->data() : nullptr;
    if (before)
        watched.compare(region.memory.data(), past, collecting);
    else
        watched.compare(region.memory.data(), collecting);
    collecting.take();
    image = collecting.image;
    std::set<std::uint32_t> numbers, words;
    for (std::uint32_t number = 0; number < region.scalars.size(); ++number) {
        const auto& scalar = region.scalars[number];
        const std::uint32_t place = watched.placeOf(scalar.offset) - kFirstWord * 8;
        const auto* const shown = reinterpret_cast<const std::byte*>(image.data()) + place;
        CHECK(std::memcmp(shown, region.memory.data() + scalar.offset, scalar.bytes) == 0);
        for (std::uint32_t word = place / 8; word <= (place + scalar.bytes - 1) / 8; ++word) {
            words.insert(word);
            if (collecting.words.contains(word)) numbers.insert(number);
        }
    }
    // no others than those of scalars
    CHECK(std::includes(words.begin(), words.end(), collecting.words.begin(),
                        collecting.words.end()));
    return numbers;
}

/// Those in whose words something is another one.
std::set<std::uint32_t> different(const RandomMemory& region,
                                  const std::vector<std::byte>& before) {
    std::set<std::uint32_t> numbers;
    for (std::uint32_t number = 0; number < region.scalars.size(); ++number) {
        const auto& scalar = region.scalars[number];
        const auto from = static_cast<std::ptrdiff_t>(scalar.offset / 8 * 8);
        const auto end = static_cast<std::ptrdiff_t>((scalar.offset + scalar.bytes + 7) / 8 * 8);
        if (!std::equal(before.begin() + from, before.begin() + end, region.memory.begin() + from))
            numbers.insert(number);
    }
    return numbers;
}

}  // namespace

TEST_CASE("watched memory: all at first, then what differs") {
    const auto past = GENERATE(WatchedMemory::Past::Kept, WatchedMemory::Past::Given);
    std::mt19937 random(3);
    const std::vector<WatchedMemory::Compare> comparisons = WatchedMemory::comparisons();
    for (std::size_t round = 0; round < 60; ++round) {
        RandomMemory region(random);
        auto shuffled = region.scalars;
        std::shuffle(shuffled.begin(), shuffled.end(), random);
        WatchedMemory watched(shuffled, kFirstWord, past, comparisons[round % comparisons.size()]);
        std::vector<std::uint64_t> image(watched.endWord() - kFirstWord);
        std::vector<std::byte> before;
        const auto* const given = past == WatchedMemory::Past::Given ? &before : nullptr;
        CHECK(found(watched, region, image, given).size() == region.scalars.size());
        before = region.memory;
        CHECK(found(watched, region, image, given).empty());
        for (int step = 0; step < 20; ++step) {
            before = region.memory;
            const std::size_t changes = random() % 40;
            for (std::size_t i = 0; i < changes; ++i)
                region.memory[random() % region.memory.size()] = static_cast<std::byte>(random());
            CHECK(found(watched, region, image, given) == different(region, before));
        }
    }
}

TEST_CASE("watched memory: nothing to watch") {
    WatchedMemory watched({});
    CHECK(watched.isEmpty());
    CHECK(watched.endWord() == 0);
    Collecting collecting{0, {}};
    watched.compare(nullptr, collecting);
    collecting.take();
    CHECK(collecting.words.empty());
}
