// Two lines, the second one with a value of two words and one of four bytes:
//
//   scalars       8: 4 bytes       64: 16 bytes  84: 4 bytes
//   stretches_    0: 2 lines
//   firstOfWord_  0 0 1 1 1 1 1 1  1 2 3 4 4 4 4 4  4
//   entries_      8                64 64 84

#include "trace/watched_memory.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace sme {
namespace {

constexpr std::size_t kLineBytes = 64, kWordsOfLine = 8;

std::uint64_t otherLinesAnywhere(const std::byte* a, const std::byte* b, std::size_t lines) {
    using Vector = std::uint64_t __attribute__((vector_size(16)));
    std::uint64_t others = 0;
    for (std::size_t line = 0; line < lines; ++line) {
        Vector difference{};
        for (std::size_t at = line * kLineBytes; at < (line + 1) * kLineBytes;
             at += sizeof(Vector)) {
            Vector left, right;
            std::memcpy(&left, a + at, sizeof left);
            std::memcpy(&right, b + at, sizeof right);
            difference |= left ^ right;
        }
        others |= std::uint64_t{(difference[0] | difference[1]) != 0} << line;
    }
    return others;
}

std::size_t otherWordsAnywhere(const std::byte* a, const std::byte* b, std::uint64_t lines,
                               std::uint16_t* words) {
    std::size_t count = 0;
    for (; lines != 0; lines &= lines - 1) {
        const auto first = static_cast<std::size_t>(std::countr_zero(lines)) * kWordsOfLine;
        for (std::size_t word = first; word < first + kWordsOfLine; ++word) {
            std::uint64_t left, right;
            std::memcpy(&left, a + word * sizeof left, sizeof left);
            std::memcpy(&right, b + word * sizeof right, sizeof right);
            words[count] = static_cast<std::uint16_t>(word);
            count += left != right ? 1 : 0;
        }
    }
    return count;
}

#ifdef __x86_64__
[[gnu::target("avx2")]] std::uint64_t otherLinesAvx2(const std::byte* a, const std::byte* b,
                                                     std::size_t lines) {
    std::uint64_t others = 0;
    for (std::size_t line = 0; line < lines; ++line) {
        const auto* left = reinterpret_cast<const __m256i*>(a + line * kLineBytes);
        const auto* right = reinterpret_cast<const __m256i*>(b + line * kLineBytes);
        const __m256i both = _mm256_or_si256(
            _mm256_xor_si256(_mm256_loadu_si256(left), _mm256_loadu_si256(right)),
            _mm256_xor_si256(_mm256_loadu_si256(left + 1), _mm256_loadu_si256(right + 1)));
        others |= static_cast<std::uint64_t>(_mm256_testz_si256(both, both) == 0) << line;
    }
    return others;
}

/// The numbers of the bits of a byte that are set, the others behind them.
constexpr auto kBitsOfByte = [] {
    std::array<std::array<std::uint8_t, kWordsOfLine>, 256> table{};
    for (unsigned byte = 0; byte < table.size(); ++byte) {
        std::size_t count = 0;
        for (std::uint8_t bit = 0; bit < kWordsOfLine; ++bit) {
            if ((byte >> bit & 1) != 0) table[byte][count++] = bit;
        }
    }
    return table;
}();

/// Words of half a line that are the same, as bits.
[[gnu::target("avx2")]] inline unsigned sameWords(const std::byte* a, const std::byte* b) {
    const __m256i left = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a));
    const __m256i right = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b));
    return static_cast<unsigned>(
        _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(left, right))));
}

[[gnu::target("avx2,popcnt,bmi")]] std::size_t
otherWordsAvx2(const std::byte* a, const std::byte* b, std::uint64_t lines, std::uint16_t* words) {
    std::size_t count = 0;
    for (; lines != 0; lines &= lines - 1) {
        const auto line = static_cast<std::size_t>(std::countr_zero(lines));
        const std::byte* const left = a + line * kLineBytes;
        const std::byte* const right = b + line * kLineBytes;
        constexpr std::size_t kHalf = kLineBytes / 2;
        const unsigned same =
            sameWords(left, right) | sameWords(left + kHalf, right + kHalf) << kWordsOfLine / 2;
        const unsigned others = same ^ 0xff;
        // eight at once; those behind the last one are overwritten
        const auto* bits = reinterpret_cast<const __m128i*>(kBitsOfByte[others].data());
        const __m128i numbers =
            _mm_add_epi16(_mm_cvtepu8_epi16(_mm_loadl_epi64(bits)),
                          _mm_set1_epi16(static_cast<short>(line * kWordsOfLine)));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(words + count), numbers);
        count += static_cast<std::size_t>(__builtin_popcount(others));
    }
    return count;
}
#endif

}  // namespace

WatchedMemory::Compare WatchedMemory::fastestCompare() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
        && __builtin_cpu_supports("popcnt"))
        return {otherLinesAvx2, otherWordsAvx2};
#endif
    return {otherLinesAnywhere, otherWordsAnywhere};
}

WatchedMemory::WatchedMemory(std::vector<Scalar> scalars) {
    std::sort(scalars.begin(), scalars.end(), [](const Scalar& a, const Scalar& b) {
        return std::tie(a.offset, a.number) < std::tie(b.offset, b.number);
    });
    addLines(scalars);
    addEntries(scalars);
}

void WatchedMemory::addLines(const std::vector<Scalar>& scalars) {
    std::uint64_t end = 0;  // of the lines so far
    std::size_t lines = 0;
    for (const Scalar& scalar : scalars) {
        std::uint64_t line = std::max(end, scalar.offset / kLine * kLine);
        for (; line < scalar.offset + scalar.bytes; line += kLine) {
            const bool goesOn =
                !stretches_.empty() && stretches_.back().count < kMostLines && line == end;
            if (!goesOn) stretches_.push_back({line, lines, 0});
            ++stretches_.back().count;
            ++lines;
            end = line + kLine;
        }
    }
    kept_.resize(lines);
}

std::size_t WatchedMemory::keptPlace(std::uint64_t offset) const {
    const auto after = std::upper_bound(
        stretches_.begin(), stretches_.end(), offset,
        [](std::uint64_t wanted, const Stretch& stretch) { return wanted < stretch.offset; });
    return (after - 1)->first * kLine + (offset - (after - 1)->offset);
}

void WatchedMemory::addEntries(const std::vector<Scalar>& scalars) {
    std::vector<std::pair<std::size_t, Entry>> entries;  // with their words
    for (const Scalar& scalar : scalars) {
        const std::size_t kept = keptPlace(scalar.offset);
        if (scalar.bytes <= kWord) {
            entries.push_back({kept / kWord,
                               {scalar.number, static_cast<std::uint16_t>(kept % kWord),
                                static_cast<std::uint16_t>(scalar.bytes)}});
            continue;
        }
        if (!longs_.empty() && longs_.back().offset == scalar.offset) {
            longs_.back().numbers.push_back(scalar.number);
            continue;
        }
        for (std::uint32_t at = 0; at < scalar.bytes; at += kWord)
            entries.push_back(
                {(kept + at) / kWord, {static_cast<std::uint32_t>(longs_.size()), 0, kLong}});
        longs_.push_back({scalar.offset, scalar.bytes, kept, {scalar.number}});
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t word = 0, next = 0; word <= kept_.size() * kWords; ++word) {
        firstOfWord_.push_back(static_cast<std::uint32_t>(next));
        while (next < entries.size() && entries[next].first == word)
            entries_.push_back(entries[next++].second);
    }
}

}  // namespace sme
