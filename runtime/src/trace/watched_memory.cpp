// Two lines, the second one with a value of two words and one of four bytes:
//
//   scalars       8: 4 bytes       64: 16 bytes  84: 4 bytes
//   stretches_    0: 2 lines
//   firstOfWord_  0 0 1 1 1 1 1 1  1 2 3 4 4 4 4 4  4
//   entries_      8                64 64 84

#include "trace/watched_memory.h"

#include <algorithm>
#include <tuple>
#include <utility>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace sme {
namespace {

constexpr std::size_t kLineBytes = 64;

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
#endif

}  // namespace

WatchedMemory::OtherLines WatchedMemory::fastestOtherLines() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) return otherLinesAvx2;
#endif
    return otherLinesAnywhere;
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
