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
    /// branch that is hard to foresee. `memory`: where the region is now; it starts at a line.
    template <typename Found>
    void compare(const std::byte* memory, const Found& found) {
        if (isFirst_) return takeAll(memory, found);
        for (const Stretch& stretch : stretches_) {
            const std::uint64_t others = otherLines_(
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

    static OtherLines fastestOtherLines();
    void addLines(const std::vector<Scalar>& scalars);
    void addEntries(const std::vector<Scalar>& scalars);
    std::size_t keptPlace(std::uint64_t offset) const;
    std::byte* keptBytes() { return kept_.data()->bytes.data(); }

    template <typename Stored>
    static bool isOtherAs(const std::byte* a, const std::byte* b) {
        Stored left, right;
        std::memcpy(&left, a, sizeof left);
        std::memcpy(&right, b, sizeof right);
        return left != right;
    }
    static bool isOther(const std::byte* a, const std::byte* b, std::uint32_t bytes) {
        switch (bytes) {
        case 1: return isOtherAs<std::uint8_t>(a, b);
        case 2: return isOtherAs<std::uint16_t>(a, b);
        case 4: return isOtherAs<std::uint32_t>(a, b);
        default: return isOtherAs<std::uint64_t>(a, b);
        }
    }

    template <typename Found>
    void takeAll(const std::byte* memory, const Found& found) {
        for (const Stretch& stretch : stretches_) {
            const std::byte* const now = memory + stretch.offset;
            std::memcpy(kept_[stretch.first].bytes.data(), now, stretch.count * kLine);
            for (std::size_t word = 0; word < stretch.count * kWords; ++word)
                forEachEntry(stretch.first * kWords + word, [&](const Entry& entry) {
                    if (entry.bytes != kLong)
                        found(entry.number, now + word * kWord + entry.at, entry.bytes, true);
                });
        }
        for (const Long& each : longs_)
            tell(each, memory, found);
        isFirst_ = false;
    }

    template <typename Found>
    static void tell(const Long& each, const std::byte* memory, const Found& found) {
        for (const std::uint32_t number : each.numbers)
            found(number, memory + each.offset, each.bytes, true);
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
        std::array<std::uint16_t, kMostLines * kWords> words;
        std::size_t count = 0;
        for (; others != 0; others &= others - 1) {
            const auto first = static_cast<std::size_t>(std::countr_zero(others)) * kWords;
            __builtin_prefetch(firstEntries + first);
            for (std::size_t word = first; word < first + kWords; ++word) {
                words[count] = static_cast<std::uint16_t>(word);
                count += isOtherAs<std::uint64_t>(now + word * kWord, kept + word * kWord);
            }
        }
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
        forEachEntry(word, [&](const Entry& entry) {
            if (entry.bytes == kLong) return compareLong(longs_[entry.number], memory, found);
            const std::byte* const value = now + entry.at;
            found(entry.number, value, entry.bytes, isOther(value, kept + entry.at, entry.bytes));
        });
        std::memcpy(kept, now, kWord);
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
    const OtherLines otherLines_ = fastestOtherLines();
    bool isFirst_ = true;
};

}  // namespace sme
