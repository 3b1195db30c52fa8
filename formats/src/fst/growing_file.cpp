// What a reader sees changes in one write of a few bytes:
//
//   header geometry hierarchy changes changes [gap ......] provisional skip
//
// A block comes to be under the tag "skip", at which readers stop, and then gets its own. The gap is a
// geometry block again, as long as it has to be: readers take its numbers and pass over the rest,
// which is a hole in the file. A provisional block is written where none is seen, inside the gap or
// under the skip, and is seen when the gap's length says so. When a block that stays is complete, it is
// written into the gap from behind, and its first bytes take the place of the gap's.

#include "fst/growing_file.h"

#include <algorithm>

#include "fst/bytes.h"

namespace sme::fst {
namespace {

constexpr std::uint64_t kHead = 1 + sizeof(std::uint64_t);  // a tag and a length

/// The first bytes of a block from one place to another. Its length counts from behind the tag.
std::string headOf(BlockTag tag, std::uint64_t from, std::uint64_t to) {
    std::string head(1, static_cast<char>(tag));
    appendNumber(head, to - from - 1);
    return head;
}

}  // namespace

void GrowingFile::begin(const std::string& text) {
    sink_.overwrite(0, text);
    end_ = fileEnd_ = text.size();
}

std::string GrowingFile::gap(std::uint64_t from, std::uint64_t to) const {
    return headOf(BlockTag::Geometry, from, to) + geometry_;
}

/// In front of the provisional block or after it, and always after what the next block that stays
/// may need.
std::uint64_t GrowingFile::placeFor(std::uint64_t size) const {
    const std::uint64_t near = end_ + reserve_;
    return shownFrom_ == 0 || near + size <= shownFrom_ ? near : shownTo_ + kHead;
}

/// Makes the last thing in the file longer, so that what will be written after it is not seen.
void GrowingFile::hideUntil(std::uint64_t newEnd) {
    if (shownFrom_ == 0)
        sink_.overwrite(end_, headOf(BlockTag::Geometry, end_, newEnd));
    else
        sink_.overwrite(shownTo_, headOf(BlockTag::Skip, shownTo_, newEnd));
    fileEnd_ = newEnd;
}

void GrowingFile::show(const std::string& block) {
    const std::uint64_t from = placeFor(block.size() + kHead);
    const std::uint64_t to = from + block.size();
    const std::uint64_t newEnd = std::max(fileEnd_, to + kHead);
    if (fileEnd_ == end_) {  // no gap yet: what comes to be one hides what is written
        std::string first = gap(end_, newEnd);
        first[0] = static_cast<char>(BlockTag::Skip);
        sink_.overwrite(end_, first);
    } else if (newEnd > fileEnd_) {
        hideUntil(newEnd);
    }
    sink_.overwrite(from, block + headOf(BlockTag::Skip, to, newEnd));
    sink_.overwrite(end_, headOf(BlockTag::Geometry, end_, from));
    fileEnd_ = newEnd;
    shownFrom_ = from;
    shownTo_ = to;
}

void GrowingFile::append(const std::string& block) {
    const std::uint64_t to = end_ + block.size();
    if (fileEnd_ == end_) {
        std::string hidden = block;
        hidden[0] = static_cast<char>(BlockTag::Skip);
        sink_.overwrite(end_, hidden);
        sink_.overwrite(end_, {block.data(), 1});
        end_ = fileEnd_ = to;
        return;
    }
    const std::size_t first = std::min(block.size(), kHead + geometry_.size());
    if (to + kHead + geometry_.size() > fileEnd_) hideUntil(to + kHead + geometry_.size());
    sink_.overwrite(to, gap(to, fileEnd_));
    sink_.overwrite(end_ + first, std::string_view(block).substr(first));
    sink_.overwrite(end_, std::string_view(block).substr(0, first));
    end_ = to;
    shownFrom_ = shownTo_ = 0;
}

void GrowingFile::end() {
    if (fileEnd_ != end_) sink_.truncate(end_);
    fileEnd_ = end_;
}

}  // namespace sme::fst
