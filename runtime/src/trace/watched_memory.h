#pragma once

#include <array>
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
        std::uint64_t offset;
        std::uint32_t bytes;
        std::uint32_t number;  ///< for who asks
    };
    /// Scalars lie at the same place or apart. Whole lines around them are read.
    explicit WatchedMemory(std::vector<Scalar> scalars);

    bool isEmpty() const { return lines_.empty(); }

    /// Calls found(number, value, bytes) for each that is not what it was, the first time for all.
    /// `memory`: where the region is now; it starts at a line.
    template <typename Found>
    void compare(const std::byte* memory, const Found& found) {
        if (isFirst_) return takeAll(memory, found);
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (isOther(memory + lines_[i], kept_[i].data())) compareLine(i, memory, found);
        }
    }

private:
    static constexpr std::size_t kLine = 64;
    static constexpr std::size_t kWord = 8;
    static constexpr std::size_t kWords = kLine / kWord;
    using Line = std::array<std::byte, kLine>;

    std::size_t wordAt(std::uint64_t offset) const;

    static bool isOther(const std::byte* a, const std::byte* b) {
        using Vector = std::uint64_t __attribute__((vector_size(16)));
        Vector difference{};
        for (std::size_t at = 0; at < kLine; at += sizeof(Vector)) {
            Vector left, right;
            std::memcpy(&left, a + at, sizeof left);
            std::memcpy(&right, b + at, sizeof right);
            difference |= left ^ right;
        }
        return (difference[0] | difference[1]) != 0;
    }

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
        case 8: return isOtherAs<std::uint64_t>(a, b);
        default: return std::memcmp(a, b, bytes) != 0;
        }
    }

    template <typename Found>
    void tell(std::size_t place, const std::byte* value, const Found& found) const {
        for (std::uint32_t i = places_[place].first; i < places_[place + 1].first; ++i)
            found(numbers_[i], value, places_[place].bytes);
    }

    template <typename Found>
    void takeAll(const std::byte* memory, const Found& found) {
        for (std::size_t place = 0; place + 1 < places_.size(); ++place)
            tell(place, memory + places_[place].offset, found);
        for (std::size_t i = 0; i < lines_.size(); ++i)
            std::memcpy(kept_[i].data(), memory + lines_[i], kLine);
        isFirst_ = false;
    }

    template <typename Found>
    void compareLine(std::size_t line, const std::byte* memory, const Found& found) {
        const std::byte* const now = memory + lines_[line];
        std::byte* const kept = kept_[line].data();
        for (std::size_t word = 0; word < kWords; ++word) {
            if (!isOtherAs<std::uint64_t>(now + word * kWord, kept + word * kWord)) continue;
            const std::uint64_t end = lines_[line] + (word + 1) * kWord;
            for (std::size_t i = firstOfWord_[line * kWords + word]; places_[i].offset < end; ++i)
                comparePlace(i, memory + places_[i].offset,
                             kept + static_cast<std::ptrdiff_t>(places_[i].offset - lines_[line]),
                             found);
            std::memcpy(kept + word * kWord, now + word * kWord, kWord);
        }
    }

    /// `was`: lines of one place lie side by side in the copy, too.
    template <typename Found>
    void comparePlace(std::size_t place, const std::byte* value, std::byte* was,
                      const Found& found) const {
        const std::uint32_t bytes = places_[place].bytes;
        if (!isOther(value, was, bytes)) return;
        if (bytes > kWord) std::memcpy(was, value, bytes);  // or it is found once more
        tell(place, value, found);
    }

    struct Place {
        std::uint64_t offset;
        std::uint32_t bytes;
        std::uint32_t first;  ///< its numbers go up to the first one of the next place
    };
    std::vector<Place> places_;  ///< by offset; after the last one, one at the end of all offsets
    std::vector<std::uint32_t> numbers_;
    std::vector<std::uint64_t> lines_;        ///< offsets of those that hold places, ascending
    std::vector<Line> kept_;                  ///< what was in each of them
    std::vector<std::uint32_t> firstOfWord_;  ///< of each word of each line: the first place in it
    bool isFirst_ = true;
};

}  // namespace sme
