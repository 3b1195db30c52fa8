#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace sme {

/// Scalars of a region of memory, and what they were when somebody looked before. Memory is compared
/// with what was there, a line of the cache at a time, so that what does not change costs next to
/// nothing. The lines with scalars, one after the other, are an image of the region: its words have
/// numbers from `firstWord` on.
class WatchedMemory {
public:
    /// Where it is known from what was there: from a copy, or whoever asks says where it is.
    enum class Past : std::uint8_t { Kept, Given };
    struct Scalar {
        std::uint64_t offset;  ///< a multiple of its bytes, or of 8 where these are more
        std::uint32_t bytes;
    };
    static constexpr std::size_t kMostLines = 128;  ///< of a stretch; two such fit the first cache
    static constexpr std::size_t kGroup = 8;        ///< lines whose words are the bits of a number
    static constexpr std::size_t kGroups = kMostLines / kGroup;
    using Groups = std::array<std::uint64_t, kGroups>;  ///< a bit for each word of a stretch
    /// Numbers of words of a stretch.
    using Numbers = std::array<std::uint16_t, kMostLines * 8 + 64>;  // 64 are written at once
    /// Lists the watched words of these lines that differ; returns how many.
    using Compare = std::uint32_t (*)(const std::byte* a, const std::byte* b, std::size_t lines,
                                      const Groups& watched, Numbers& numbers);
    /// Those that this processor knows, the fastest one last.
    static std::vector<Compare> comparisons();

    /// Scalars lie at the same place or apart. Whole lines around them are read.
    explicit WatchedMemory(std::vector<Scalar> scalars, std::uint32_t firstWord = 0,
                           Past past = Past::Kept, Compare compare = comparisons().back());

    bool isEmpty() const { return stretches_.empty(); }
    std::uint32_t endWord() const {
        return firstWord_ + static_cast<std::uint32_t>(lines_ * kWords);
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
        for (const Stretch& stretch : stretches_) {
            std::byte* const kept = kept_[stretch.first].bytes.data();
            const std::byte* const now = memory + stretch.offset;
            Numbers numbers;
            const std::uint32_t count = list(stretch, now, isFirst_ ? nullptr : kept, numbers);
            for (std::uint32_t i = 0; i < count; ++i)
                std::memcpy(kept + numbers[i] * kWord, now + numbers[i] * kWord, kWord);
            give(stretch, now, numbers, count, found);
        }
        isFirst_ = false;
    }
    /// The same where the past is given: as the region was, at `before`; null: all words are given.
    template <typename Found>
    void compare(const std::byte* memory, const std::byte* before, Found&& found) const {
        for (const Stretch& stretch : stretches_) {
            const std::byte* const now = memory + stretch.offset;
            Numbers numbers;
            const std::uint32_t count =
                list(stretch, now, before ? before + stretch.offset : nullptr, numbers);
            give(stretch, now, numbers, count, found);
        }
    }

    /// The next time all words are given.
    void forget() { isFirst_ = true; }

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
        Groups scalars;  ///< words in which some are
    };
    void addLines(const std::vector<Scalar>& scalars);
    std::size_t stretchOf(std::uint64_t offset) const;

    static std::uint32_t listAll(const Groups& watched, Numbers& numbers);
    std::uint32_t list(const Stretch& stretch, const std::byte* now, const std::byte* before,
                       Numbers& numbers) const {
        if (!before) return listAll(stretch.scalars, numbers);
        return compare_(now, before, stretch.count, stretch.scalars, numbers);
    }
    template <typename Found>
    void give(const Stretch& stretch, const std::byte* now, const Numbers& numbers,
              std::uint32_t count, Found& found) const {
        if (count == 0) return;
        const auto [values, places] =
            found.add(firstWord_ + stretch.first * static_cast<std::uint32_t>(kWords), count);
        std::memcpy(places, numbers.data(), count * sizeof *places);
        for (std::uint32_t i = 0; i < count; ++i)
            std::memcpy(values + i, now + numbers[i] * kWord, kWord);
    }

    std::vector<Stretch> stretches_;
    std::uint32_t lines_ = 0;
    std::vector<Line> kept_;  ///< what was in each line; none where the past is given
    std::uint32_t firstWord_;
    Compare compare_;
    bool isFirst_ = true;
};

}  // namespace sme
