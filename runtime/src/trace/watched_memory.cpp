// Two lines of a region, the second one with a value of two words and one of four bytes, and the image:
//
//   scalars       8: 4 bytes       64: 16 bytes  84: 4 bytes
//   stretches_    0: 2 lines, scalars in words 1 8 9 10
//   places        8                64            84

#include "trace/watched_memory.h"

#include <algorithm>
#include <bit>
#include <numeric>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace sme {
namespace {

constexpr std::size_t kLineBytes = 64, kWordsOfLine = 8, kLinesOfGroup = 8;
using Groups = WatchedMemory::Groups;
using Numbers = WatchedMemory::Numbers;

/// Appends the numbers of bits to `count` others, from `first` on; returns how many there are then.
inline std::uint32_t append(std::uint64_t bits, std::size_t first, Numbers& numbers,
                            std::uint32_t count) {
    for (; bits != 0; bits &= bits - 1)
        numbers[count++] =
            static_cast<std::uint16_t>(first + static_cast<unsigned>(std::countr_zero(bits)));
    return count;
}

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

std::uint32_t compareAnywhere(const std::byte* a, const std::byte* b, std::size_t lines,
                              const Groups& watched, Numbers& numbers) {
    std::uint32_t count = 0;
    for (std::size_t line = 0; line < lines; ++line) {
        const std::uint64_t others = otherWordsOfLine(a + line * kLineBytes, b + line * kLineBytes);
        const std::uint64_t ofLine =
            watched[line / kLinesOfGroup] >> line % kLinesOfGroup * kWordsOfLine;
        count = append(others & ofLine, line * kWordsOfLine, numbers, count);
    }
    return count;
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

[[gnu::target("avx2")]] std::uint32_t compareAvx2(const std::byte* a, const std::byte* b,
                                                  std::size_t lines, const Groups& watched,
                                                  Numbers& numbers) {
    constexpr std::size_t kHalf = kLineBytes / 2;
    std::uint32_t count = 0;
    for (std::size_t first = 0; first < lines; first += kLinesOfGroup) {
        std::uint64_t others = 0;
        const std::size_t end = std::min(lines, first + kLinesOfGroup);
        for (std::size_t line = first; line < end; ++line) {
            const std::byte* const left = a + line * kLineBytes;
            const std::byte* const right = b + line * kLineBytes;
            const unsigned same =
                sameWords(left, right) | sameWords(left + kHalf, right + kHalf) << kWordsOfLine / 2;
            others |= std::uint64_t{same ^ 0xff} << (line - first) * kWordsOfLine;
        }
        count =
            append(others & watched[first / kLinesOfGroup], first * kWordsOfLine, numbers, count);
    }
    return count;
}

constexpr auto k32Numbers = [] {
    std::array<std::uint16_t, 32> numbers{};
    std::iota(numbers.begin(), numbers.end(), std::uint16_t{0});
    return numbers;
}();

#define SME_AVX512 gnu::target("avx512f,avx512bw,avx512vbmi2,popcnt")

/// What append() does, without branches that depend on how many there are.
[[SME_AVX512, gnu::always_inline]] inline std::uint32_t
append32(__mmask32 bits, __m512i all, Numbers& numbers, std::uint32_t count) {
    _mm512_storeu_si512(numbers.data() + count, _mm512_maskz_compress_epi16(bits, all));
    return count + static_cast<std::uint32_t>(_mm_popcnt_u32(bits));
}

[[SME_AVX512]] std::uint32_t compareAvx512(const std::byte* a, const std::byte* b,
                                           std::size_t lines, const Groups& watched,
                                           Numbers& numbers) {
    const __m512i half = _mm512_loadu_si512(k32Numbers.data()), step = _mm512_set1_epi16(32);
    __m512i low = half;
    std::uint32_t count = 0;
    for (std::size_t first = 0; first < lines; first += kLinesOfGroup) {
        std::uint64_t others = 0;
        const std::size_t end = std::min(lines, first + kLinesOfGroup);
        for (std::size_t line = first; line < end; ++line)
            others |=
                std::uint64_t{_mm512_cmpneq_epi64_mask(_mm512_loadu_si512(a + line * kLineBytes),
                                                       _mm512_loadu_si512(b + line * kLineBytes))}
                << (line - first) * kWordsOfLine;
        others &= watched[first / kLinesOfGroup];
        const __m512i high = _mm512_add_epi16(low, step);
        count = append32(static_cast<__mmask32>(others), low, numbers, count);
        count = append32(static_cast<__mmask32>(others >> 32), high, numbers, count);
        low = _mm512_add_epi16(high, step);
    }
    return count;
}
#endif

}  // namespace

std::vector<WatchedMemory::Compare> WatchedMemory::comparisons() {
    std::vector<Compare> all{compareAnywhere};
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) all.push_back(compareAvx2);
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2"))
        all.push_back(compareAvx512);
#endif
    return all;
}

WatchedMemory::WatchedMemory(std::vector<Scalar> scalars, std::uint32_t firstWord, Past past,
                             Compare compare)
    : firstWord_(firstWord), compare_(compare) {
    std::sort(scalars.begin(), scalars.end(),
              [](const Scalar& a, const Scalar& b) { return a.offset < b.offset; });
    addLines(scalars);
    if (past == Past::Kept) kept_.resize(lines_);
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
    for (const Scalar& scalar : scalars) {
        const std::uint64_t first = scalar.offset / kLine * kLine;
        const bool isNear = !stretches_.empty() && first <= end + kFew;
        for (std::uint64_t line = isNear ? end : first; line < scalar.offset + scalar.bytes;
             line += kLine) {
            const bool goesOn =
                !stretches_.empty() && stretches_.back().count < kMostLines && line == end;
            if (!goesOn) stretches_.push_back({line, lines_, 0, {}});
            ++stretches_.back().count;
            ++lines_;
            end = line + kLine;
        }
    }
}

std::uint32_t WatchedMemory::listAll(const Groups& watched, Numbers& numbers) {
    std::uint32_t count = 0;
    for (std::size_t group = 0; group < watched.size(); ++group)
        count = append(watched[group], group * kGroup * kWords, numbers, count);
    return count;
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
