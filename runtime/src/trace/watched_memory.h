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
/// The lines with scalars, one after the other, are an image of the region: its words have numbers
/// from `firstWord` on.
class WatchedMemory {
public:
    struct Scalar {
        std::uint64_t offset;  ///< a multiple of its bytes, or of 8 where these are more
        std::uint32_t bytes;
    };
    static constexpr std::size_t kMostLines = 64;  ///< of a stretch
    static constexpr std::size_t kGroup = 8;       ///< lines whose words are the bits of a number
    static constexpr std::size_t kGroups = kMostLines / kGroup;
    using OtherWords = std::array<std::uint64_t, kGroups>;
    /// A bit for each word of these lines: whether it is another one.
    using Compare = void (*)(const std::byte* a, const std::byte* b, std::size_t lines,
                             OtherWords& words);
    /// Those that this processor knows, the fastest one last.
    static std::vector<Compare> comparisons();

    /// Scalars lie at the same place or apart. Whole lines around them are read.
    explicit WatchedMemory(std::vector<Scalar> scalars, std::uint32_t firstWord = 0,
                           Compare compare = comparisons().back());

    bool isEmpty() const { return stretches_.empty(); }
    std::uint32_t endWord() const {
        return firstWord_ + static_cast<std::uint32_t>(kept_.size() * kWords);
    }
    /// The byte of the image that is at a place of the region.
    std::uint32_t placeOf(std::uint64_t offset) const;

    /// Gives `found` the words that are not what they were, the first time all; no others than those
    /// of scalars.
    ///
    ///     auto [values, numbers] = found.add(first, count);  // to be written: so many of each
    ///
    /// `memory`: where the region is now; it starts at a line.
    template <typename Found>
    void compare(const std::byte* memory, Found&& found) {
        for (const Stretch& stretch : stretches_)
            compareStretch(stretch, memory + stretch.offset, found);
        isFirst_ = false;
    }

private:
    static constexpr std::size_t kLine = 64;
    static constexpr std::size_t kWord = 8;
    static constexpr std::size_t kWords = kLine / kWord;

    struct alignas(kLine) Line {
        std::array<std::byte, kLine> bytes;
    };
    /// Lines that lie one after the other.
    struct Stretch {
        std::uint64_t offset;
        std::uint32_t first;  ///< of all lines
        std::uint32_t count;
        OtherWords scalars;  ///< a bit for each word in which some are
    };
    void addLines(const std::vector<Scalar>& scalars);
    std::size_t stretchOf(std::uint64_t offset) const;

    /// Numbers of words of a stretch, of those that are others.
    struct Words {
        std::array<std::uint16_t, kMostLines * kWords + 2> numbers;  // two are written at once
        std::uint32_t count = 0;

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

    template <typename Found>
    void compareStretch(const Stretch& stretch, const std::byte* now, Found& found) {
        std::byte* const kept = kept_[stretch.first].bytes.data();
        OtherWords others = stretch.scalars;
        if (!isFirst_) compare_(now, kept, stretch.count, others);
        Words words;
        for (std::size_t group = 0; group * kGroup < stretch.count; ++group)
            words.add(group * kGroup * kWords, others[group] & stretch.scalars[group]);
        if (words.count == 0) return;
        const auto [values, numbers] =
            found.add(firstWord_ + stretch.first * static_cast<std::uint32_t>(kWords), words.count);
        std::memcpy(numbers, words.numbers.data(), words.count * sizeof *numbers);
        for (std::uint32_t i = 0; i < words.count; ++i) {
            const std::size_t at = words.numbers[i] * kWord;
            std::memcpy(kept + at, now + at, kWord);
            std::memcpy(values + i, now + at, kWord);
        }
    }

    std::vector<Stretch> stretches_;
    std::vector<Line> kept_;  ///< what was in each line
    std::uint32_t firstWord_;
    Compare compare_;
    bool isFirst_ = true;
};

}  // namespace sme
