// Two lines of a region, the second one with a value of two words and one of four bytes, and the image:
//
//   scalars       8: 4 bytes       64: 16 bytes  84: 4 bytes
//   stretches_    0: 2 lines, scalars in words 1 8 9 10
//   places        8                64            84

#include "trace/watched_memory.h"

#include <algorithm>
#include <bit>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace sme {
namespace {

constexpr std::size_t kLineBytes = 64, kWordsOfLine = 8, kLinesOfGroup = 8;
using OtherWords = WatchedMemory::OtherWords;

std::uint64_t otherWordsOfLine(const std::byte* a, const std::byte* b) {
    std::uint64_t others = 0;
    for (std::size_t word = 0; word < kWordsOfLine; ++word) {
        std::uint64_t left, right;
        std::memcpy(&left, a + word * sizeof left, sizeof left);
        std::memcpy(&right, b + word * sizeof right, sizeof right);
        others |= std::uint64_t{left != right} << word;
    }
    return others;
}

void compareAnywhere(const std::byte* a, const std::byte* b, std::size_t lines, OtherWords& words) {
    words = {};
    for (std::size_t line = 0; line < lines; ++line) {
        const std::uint64_t others = otherWordsOfLine(a + line * kLineBytes, b + line * kLineBytes);
        words[line / kLinesOfGroup] |= others << line % kLinesOfGroup * kWordsOfLine;
    }
}

#ifdef __x86_64__
/// Words of half a line that are the same, as bits.
[[gnu::target("avx2"), gnu::always_inline]] inline unsigned sameWords(const std::byte* a,
                                                                      const std::byte* b) {
    const __m256i left = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a));
    const __m256i right = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b));
    return static_cast<unsigned>(
        _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(left, right))));
}

[[gnu::target("avx2")]] void compareAvx2(const std::byte* a, const std::byte* b, std::size_t lines,
                                         OtherWords& words) {
    constexpr std::size_t kHalf = kLineBytes / 2;
    for (std::size_t first = 0; first < lines; first += kLinesOfGroup) {
        std::uint64_t bits = 0;
        const std::size_t end = std::min(lines, first + kLinesOfGroup);
        for (std::size_t line = end; line-- > first;) {
            const std::byte* const left = a + line * kLineBytes;
            const std::byte* const right = b + line * kLineBytes;
            const unsigned same =
                sameWords(left, right) | sameWords(left + kHalf, right + kHalf) << kWordsOfLine / 2;
            bits = bits << kWordsOfLine | (same ^ 0xff);
        }
        words[first / kLinesOfGroup] = bits;
    }
}

[[gnu::target("avx512f")]] void compareAvx512(const std::byte* a, const std::byte* b,
                                              std::size_t lines, OtherWords& words) {
    for (std::size_t first = 0; first < lines; first += kLinesOfGroup) {
        std::uint64_t bits = 0;
        const std::size_t end = std::min(lines, first + kLinesOfGroup);
        for (std::size_t line = end; line-- > first;)
            bits = bits << kWordsOfLine
                   | _mm512_cmpneq_epi64_mask(_mm512_loadu_si512(a + line * kLineBytes),
                                              _mm512_loadu_si512(b + line * kLineBytes));
        words[first / kLinesOfGroup] = bits;
    }
}
#endif

}  // namespace

std::vector<WatchedMemory::Compare> WatchedMemory::comparisons() {
    std::vector<Compare> all{compareAnywhere};
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) all.push_back(compareAvx2);
    if (__builtin_cpu_supports("avx512f")) all.push_back(compareAvx512);
#endif
    return all;
}

WatchedMemory::WatchedMemory(std::vector<Scalar> scalars, std::uint32_t firstWord, Compare compare)
    : firstWord_(firstWord), compare_(compare) {
    std::sort(scalars.begin(), scalars.end(),
              [](const Scalar& a, const Scalar& b) { return a.offset < b.offset; });
    addLines(scalars);
    for (const Scalar& scalar : scalars) {
        const std::uint64_t last = scalar.offset + scalar.bytes - 1;
        for (std::uint64_t word = scalar.offset / kWord; word <= last / kWord; ++word) {
            Stretch& stretch = stretches_[stretchOf(word * kWord)];
            const std::uint64_t bit = word - stretch.offset / kWord;
            stretch.scalars[bit / 64] |= std::uint64_t{1} << bit % 64;
        }
    }
}

/// A few lines between two that are watched are watched along, which is cheaper than a stretch more.
void WatchedMemory::addLines(const std::vector<Scalar>& scalars) {
    constexpr std::uint64_t kFew = 4 * kLine;
    std::uint64_t end = 0;  // of the lines so far
    std::uint32_t lines = 0;
    for (const Scalar& scalar : scalars) {
        const std::uint64_t first = scalar.offset / kLine * kLine;
        const bool isNear = !stretches_.empty() && first <= end + kFew;
        for (std::uint64_t line = isNear ? end : first; line < scalar.offset + scalar.bytes;
             line += kLine) {
            const bool goesOn =
                !stretches_.empty() && stretches_.back().count < kMostLines && line == end;
            if (!goesOn) stretches_.push_back({line, lines, 0, {}});
            ++stretches_.back().count;
            ++lines;
            end = line + kLine;
        }
    }
    kept_.resize(lines);
}

std::size_t WatchedMemory::stretchOf(std::uint64_t offset) const {
    const auto after = std::upper_bound(
        stretches_.begin(), stretches_.end(), offset,
        [](std::uint64_t wanted, const Stretch& stretch) { return wanted < stretch.offset; });
    return static_cast<std::size_t>(after - stretches_.begin()) - 1;
}

std::uint32_t WatchedMemory::placeOf(std::uint64_t offset) const {
    const Stretch& stretch = stretches_[stretchOf(offset)];
    return static_cast<std::uint32_t>(firstWord_ * kWord + stretch.first * kLine
                                      + (offset - stretch.offset));
}

}  // namespace sme
