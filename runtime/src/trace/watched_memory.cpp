// Two lines, the second one with a value of two words and one of four bytes:
//
//   places_       8: 4 bytes       64: 16 bytes  84: 4 bytes       the end
//   lines_        0                64
//   firstOfWord_  3 0 3 3 3 3 3 3  1 1 2 3 3 3 3 3

#include "trace/watched_memory.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace sme {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::size_t WatchedMemory::wordAt(std::uint64_t offset) const {
    const auto line = std::lower_bound(lines_.begin(), lines_.end(), offset / kLine * kLine);
    return static_cast<std::size_t>(line - lines_.begin()) * kWords + offset % kLine / kWord;
}

WatchedMemory::WatchedMemory(std::vector<Scalar> scalars) {
    std::sort(scalars.begin(), scalars.end(), [](const Scalar& a, const Scalar& b) {
        return std::tie(a.offset, a.number) < std::tie(b.offset, b.number);
    });
    for (const Scalar& scalar : scalars) {
        if (places_.empty() || places_.back().offset != scalar.offset)
            places_.push_back(
                {scalar.offset, scalar.bytes, static_cast<std::uint32_t>(numbers_.size())});
        numbers_.push_back(scalar.number);
    }
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
        const std::uint64_t end = places_[i].offset + places_[i].bytes;
        for (std::uint64_t line = places_[i].offset / kLine * kLine; line < end; line += kLine) {
            if (!lines_.empty() && lines_.back() >= line) continue;
            lines_.push_back(line);
            firstOfWord_.resize(lines_.size() * kWords, kNone);
        }
        for (std::uint64_t word = places_[i].offset / kWord * kWord; word < end; word += kWord) {
            std::uint32_t& first = firstOfWord_[wordAt(word)];
            first = std::min(first, i);
        }
    }
    std::replace(firstOfWord_.begin(), firstOfWord_.end(), kNone,
                 static_cast<std::uint32_t>(places_.size()));
    places_.push_back({std::numeric_limits<std::uint64_t>::max(), 0,
                       static_cast<std::uint32_t>(numbers_.size())});
    kept_.resize(lines_.size());
}

}  // namespace sme
