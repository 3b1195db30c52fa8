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
    static constexpr std::size_t kMostLines = 64;  ///< of a stretch
    static constexpr std::size_t kGroup = 8;       ///< lines whose words are the bits of a number
    using OtherWords = std::array<std::uint64_t, kMostLines / kGroup>;
    /// A bit for each word of these lines: whether it is another one.
    using Compare = void (*)(const std::byte* a, const std::byte* b, std::size_t lines,
                             OtherWords& words);
    /// Those that this processor knows, the fastest one last.
    static std::vector<Compare> comparisons();

    /// Scalars lie at the same place or apart. Whole lines around them are read.
    explicit WatchedMemory(std::vector<Scalar> scalars, Compare compare = comparisons().back());

    bool isEmpty() const { return stretches_.empty(); }

    /// Tells `found` those that are not what they were, the first time all. Of up to 8 bytes:
    ///
    ///     auto told = found.begin(most);          // so many at most
    ///     told(number, value, bytes, isNew);      // a std::uint64_t, whose other bytes are anything
    ///     found.end(told);
    ///
    /// with false for some that are what they were: whoever is told can then do without a branch that
    /// is hard to foresee. Longer ones: found(number, value, bytes), with where they are. `memory`:
    /// where the region is now; it starts at a line.
    template <typename Found>
    void compare(const std::byte* memory, Found&& found) {
        if (isFirst_) return takeAll(memory, found);
        for (const Stretch& stretch : stretches_)
            compareStretch(stretch, memory, found);
    }

private:
    static constexpr std::size_t kLine = 64;
    static constexpr std::size_t kWord = 8;
    static constexpr std::size_t kWords = kLine / kWord;
    static constexpr std::uint8_t kLong = 0;  ///< in place of bytes

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
        std::uint8_t shift;    ///< bits of the word before it in memory
        std::uint8_t spare;    ///< bits of a word that it has not
        std::uint8_t bytes;
    };
    struct Long {
        std::uint64_t offset;
        std::uint32_t bytes;
        std::size_t kept;  ///< where in the bytes of kept_
        std::vector<std::uint32_t> numbers;
    };
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
        return kIsLittle ? word >> entry.shift : word << entry.shift;
    }
    static bool isOther(std::uint64_t difference, const Entry& entry) {
        const std::uint64_t value = valueIn(difference, entry);
        return (kIsLittle ? value << entry.spare : value >> entry.spare) != 0;
    }

    template <typename Found>
    void takeAll(const std::byte* memory, Found& found) {
        auto told = found.begin(entries_.size());
        for (const Stretch& stretch : stretches_) {
            const std::byte* const now = memory + stretch.offset;
            std::memcpy(kept_[stretch.first].bytes.data(), now, stretch.count * kLine);
            for (std::size_t word = 0; word < stretch.count * kWords; ++word)
                forEachEntry(stretch.first * kWords + word, [&](const Entry& entry) {
                    if (entry.bytes == kLong) return;
                    told(entry.number, valueIn(wordAt(now + word * kWord), entry), entry.bytes,
                         true);
                });
        }
        found.end(told);
        for (const Long& each : longs_)
            tell(each, memory, found);
        isFirst_ = false;
    }

    template <typename Found>
    static void tell(const Long& each, const std::byte* memory, Found& found) {
        for (const std::uint32_t number : each.numbers)
            found(number, memory + each.offset, each.bytes);
    }

    template <typename Use>
    void forEachEntry(std::size_t word, const Use& use) const {
        for (std::uint32_t i = firstOfWord_[word]; i < firstOfWord_[word + 1]; ++i)
            use(entries_[i]);
    }

    /// Numbers of words of a stretch, of those that are others.
    struct Words {
        std::array<std::uint16_t, kMostLines * kWords + 2> numbers;  // two are written at once
        std::size_t count = 0;

        void add(std::size_t first, std::uint64_t bits) {
            for (int i = 0; i < 2; ++i)  // mostly there are no more, which nobody can foresee
                addOne(first, bits);
            while (bits != 0)
                addOne(first, bits);
        }
        void addOne(std::size_t first, std::uint64_t& bits) {
            numbers[count] =
                static_cast<std::uint16_t>(first + static_cast<unsigned>(std::countr_zero(bits)));
            count += bits != 0 ? 1 : 0;
            bits &= bits - 1;
        }
    };

    /// What is to be looked at is asked for early: in a large design nothing of it is in the cache.
    template <typename Found>
    void compareStretch(const Stretch& stretch, const std::byte* memory, Found& found) {
        const std::byte* const now = memory + stretch.offset;
        OtherWords others;
        compare_(now, kept_[stretch.first].bytes.data(), stretch.count, others);
        Words words;
        for (std::size_t line = 0; line < stretch.count; line += kGroup)
            words.add(line * kWords, others[line / kGroup]);
        if (words.count == 0) return;
        const std::uint32_t* const firstEntries = firstOfWord_.data() + stretch.first * kWords;
        for (std::size_t i = 0; i < words.count; ++i)
            __builtin_prefetch(firstEntries + words.numbers[i]);
        std::size_t most = 0;
        for (std::size_t i = 0; i < words.count; ++i) {
            const std::uint32_t* const first = firstEntries + words.numbers[i];
            __builtin_prefetch(entries_.data() + first[0]);
            most += first[1] - first[0];
        }
        const std::size_t longs = tellWords(stretch, now, words, most, found);
        for (std::size_t i = 0; i < longs; ++i)
            compareLong(longs_[entries_[firstEntries[words.numbers[i]]].number], memory, found);
    }

    /// Keeps the words, but for those of longer values, which are what `words` has then: as many as
    /// this returns.
    template <typename Found>
    std::size_t tellWords(const Stretch& stretch, const std::byte* now, Words& words,
                          std::size_t most, Found& found) {
        std::byte* const kept = kept_[stretch.first].bytes.data();
        const std::uint32_t* const firstEntries = firstOfWord_.data() + stretch.first * kWords;
        std::size_t longs = 0;
        auto told = found.begin(most);
        for (std::size_t i = 0; i < words.count; ++i) {
            const std::uint16_t word = words.numbers[i];
            const Entry* entry = entries_.data() + firstEntries[word];
            const Entry* const end = entries_.data() + firstEntries[word + 1];
            if (entry != end && entry->bytes == kLong) {
                words.numbers[longs++] = word;
                continue;
            }
            const std::uint64_t value = wordAt(now + word * kWord);
            const std::uint64_t difference = value ^ wordAt(kept + word * kWord);
            for (; entry != end; ++entry)
                told(entry->number, valueIn(value, *entry), entry->bytes,
                     isOther(difference, *entry));
            std::memcpy(kept + word * kWord, &value, kWord);
        }
        found.end(told);
        return longs;
    }

    /// Found in its first word that is another one.
    template <typename Found>
    void compareLong(const Long& each, const std::byte* memory, Found& found) {
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
    Compare compare_;
    bool isFirst_ = true;
};

}  // namespace sme
