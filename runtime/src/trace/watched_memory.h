#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace sme {

/// Scalars of a region of memory, and what they were when somebody looked before. Memory is compared
/// with a copy, a line of the cache at a time, so that what does not change costs next to nothing.
class WatchedMemory {
public:
    struct Scalar {
        std::uint64_t offset;  ///< a multiple of its bytes, or of 8 where these are more
        std::uint32_t bytes;
        std::uint32_t number;  ///< for who asks
    };
    /// Scalars lie at the same place or apart. Whole lines around them are read.
    explicit WatchedMemory(std::vector<Scalar> scalars);

    bool isEmpty() const { return stretches_.empty(); }

    /// Calls found(number, value, bytes, isNew) for those that are not what they were, the first
    /// time for all, and, with false, for some that are: whoever is told can then do without a
    /// branch that is hard to foresee. Values of up to 8 bytes are a std::uint64_t, whose other
    /// bytes are anything; of longer ones, found(number, value, bytes) tells where they are.
    /// `memory`: where the region is now; it starts at a line.
    template <typename Found>
    void compare(const std::byte* memory, const Found& found) {
        if (isFirst_) return takeAll(memory, found);
        for (const Stretch& stretch : stretches_) {
            const std::uint64_t others = compare_.lines(
                memory + stretch.offset, kept_[stretch.first].bytes.data(), stretch.count);
            if (others != 0) compareLines(stretch, others, memory, found);
        }
    }

private:
    static constexpr std::size_t kLine = 64;
    static constexpr std::size_t kWord = 8;
    static constexpr std::size_t kWords = kLine / kWord;
    static constexpr std::size_t kMostLines = 64;  ///< of a stretch
    static constexpr std::uint16_t kLong = 0;      ///< in place of bytes

    struct alignas(kLine) Line {
        std::array<std::byte, kLine> bytes;
    };
    /// Lines that lie one after the other.
    struct Stretch {
        std::uint64_t offset;
        std::size_t first;  ///< of all lines
        std::size_t count;
    };
    /// A scalar in a word, or a longer one, which has an entry in each of its words.
    struct Entry {
        std::uint32_t number;  ///< of a longer one: its place in longs_
        std::uint16_t at;      ///< in the word
        std::uint16_t bytes;
    };
    struct Long {
        std::uint64_t offset;
        std::uint32_t bytes;
        std::size_t kept;  ///< where in the bytes of kept_
        std::vector<std::uint32_t> numbers;
    };
    /// A bit for each of up to kMostLines lines: whether it is another one.
    using OtherLines = std::uint64_t (*)(const std::byte* a, const std::byte* b, std::size_t lines);
    /// Numbers of words of these lines that are others, and how many.
    using OtherWords = std::size_t (*)(const std::byte* a, const std::byte* b, std::uint64_t lines,
                                       std::uint16_t* words);
    struct Compare {
        OtherLines lines;
        OtherWords words;
    };
    static Compare fastestCompare();
    void addLines(const std::vector<Scalar>& scalars);
    void addEntries(const std::vector<Scalar>& scalars);
    std::size_t keptPlace(std::uint64_t offset) const;
    std::byte* keptBytes() { return kept_.data()->bytes.data(); }

    static std::uint64_t wordAt(const std::byte* at) {
        std::uint64_t word;
        std::memcpy(&word, at, sizeof word);
        return word;
    }
    static constexpr bool kIsLittle = std::endian::native == std::endian::little;
    /// The value of an entry, in the bytes that are first in memory.
    static std::uint64_t valueIn(std::uint64_t word, const Entry& entry) {
        return kIsLittle ? word >> (8 * entry.at) : word << (8 * entry.at);
    }
    static bool isOther(std::uint64_t difference, const Entry& entry) {
        const std::uint64_t value = valueIn(difference, entry);
        const unsigned others = 64 - 8U * entry.bytes;
        return (kIsLittle ? value << others : value >> others) != 0;
    }

    template <typename Found>
    void takeAll(const std::byte* memory, const Found& found) {
        for (const Stretch& stretch : stretches_) {
            const std::byte* const now = memory + stretch.offset;
            std::memcpy(kept_[stretch.first].bytes.data(), now, stretch.count * kLine);
            for (std::size_t word = 0; word < stretch.count * kWords; ++word)
                forEachEntry(stretch.first * kWords + word, [&](const Entry& entry) {
                    if (entry.bytes == kLong) return;
                    const std::uint64_t value = valueIn(wordAt(now + word * kWord), entry);
                    found(entry.number, value, entry.bytes, true);
                });
        }
        for (const Long& each : longs_)
            tell(each, memory, found);
        isFirst_ = false;
    }

    template <typename Found>
    static void tell(const Long& each, const std::byte* memory, const Found& found) {
        for (const std::uint32_t number : each.numbers)
            found(number, memory + each.offset, each.bytes);
    }

    template <typename Use>
    void forEachEntry(std::size_t word, const Use& use) const {
        for (std::uint32_t i = firstOfWord_[word]; i < firstOfWord_[word + 1]; ++i)
            use(entries_[i]);
    }

    /// What is to be looked at is asked for early: in a large design nothing of it is in the cache.
    template <typename Found>
    void compareLines(const Stretch& stretch, std::uint64_t others, const std::byte* memory,
                      const Found& found) {
        const std::byte* const now = memory + stretch.offset;
        std::byte* const kept = kept_[stretch.first].bytes.data();
        const std::uint32_t* const firstEntries = firstOfWord_.data() + stretch.first * kWords;
        std::array<std::uint16_t, (kMostLines + 1) * kWords> words;  // with a line to spare
        const std::size_t count = compare_.words(now, kept, others, words.data());
        for (std::size_t i = 0; i < count; ++i)
            __builtin_prefetch(firstEntries + words[i]);
        for (std::size_t i = 0; i < count; ++i)
            __builtin_prefetch(entries_.data() + firstEntries[words[i]]);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = words[i] * kWord;
            compareWord(stretch.first * kWords + words[i], memory, now + at, kept + at, found);
        }
    }

    template <typename Found>
    void compareWord(std::size_t word, const std::byte* memory, const std::byte* now,
                     std::byte* kept, const Found& found) {
        const std::uint64_t value = wordAt(now);
        const std::uint64_t difference = value ^ wordAt(kept);
        forEachEntry(word, [&](const Entry& entry) {
            if (entry.bytes == kLong) return compareLong(longs_[entry.number], memory, found);
            found(entry.number, valueIn(value, entry), entry.bytes, isOther(difference, entry));
        });
        std::memcpy(kept, &value, kWord);
    }

    /// Found in its first word that is another one.
    template <typename Found>
    void compareLong(const Long& each, const std::byte* memory, const Found& found) {
        std::byte* const kept = keptBytes() + each.kept;
        if (std::memcmp(memory + each.offset, kept, each.bytes) == 0) return;
        std::memcpy(kept, memory + each.offset, each.bytes);
        tell(each, memory, found);
    }

    std::vector<Stretch> stretches_;
    std::vector<Line> kept_;                  ///< what was in each line
    std::vector<Entry> entries_;              ///< by place
    std::vector<std::uint32_t> firstOfWord_;  ///< of entries; at the end, the number of all
    std::vector<Long> longs_;
    const Compare compare_ = fastestCompare();
    bool isFirst_ = true;
};

}  // namespace sme
