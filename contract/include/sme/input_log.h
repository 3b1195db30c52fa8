#pragma once

// What was set between the cycles of a run, so that they can run once more. A change of a byte
// takes three: cycles since the change before and handles are numbers of seven bits a byte.
//
//     at 5: handle 2 = 7; at 5: handle 130 = 1; at 300: handle 2 = 8      (bytes, in hexadecimal)
//     05 02 07            00 82 01 01           A7 02 02 08

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sme {

class InputLog {
public:
    struct Change {
        std::uint64_t cycle;  ///< before which it was set
        std::uint32_t handle;
        std::span<const std::byte> value;
    };
    /// Before a change.
    struct Place {
        std::size_t offset = 0;
        std::uint64_t cycle = 0;  ///< of the change before
    };

    /// Room for a change, so that add() of it cannot fail. Throws std::bad_alloc.
    void reserve(std::uint32_t handle, std::size_t bytes) {
        if (sizes_.size() <= handle) sizes_.resize(std::size_t{handle} + 1);
        sizes_[handle] = bytes;
        const std::size_t least = bytes_.size() + bytes + 2 * kLongest;
        if (bytes_.capacity() < least) bytes_.reserve(2 * least);
        if (marks_.capacity() == marks_.size()) marks_.reserve(2 * marks_.size() + 1);
    }
    /// Cycles do not go down. `isInternal`: it is no input.
    void add(const Change& change, bool isInternal) {
        reserve(change.handle, change.value.size());
        if (isInternal && !internal_) internal_ = end(change.cycle);
        if (count_++ % kSpacing == 0) marks_.push_back({bytes_.size(), last_});
        append(change.cycle - last_);
        append(change.handle);
        bytes_.insert(bytes_.end(), change.value.begin(), change.value.end());
        last_ = change.cycle;
    }
    /// Changes of later cycles go.
    void dropAfter(std::uint64_t cycle) {
        if (cycle >= last_) return;
        dropFrom(after(cycle));
    }
    /// The change at a place and those behind it go.
    void dropFrom(const Place& place) {
        bytes_.resize(place.offset);
        last_ = place.cycle;
        while (!marks_.empty() && marks_.back().offset >= place.offset)
            marks_.pop_back();
        count_ = 0;  // a mark comes with the next change; they may lie closer than usual
        if (internal_ && internal_->offset >= place.offset) internal_.reset();
    }
    Place end() const { return end(last_); }

    /// Before the first change of a later cycle than this.
    Place after(std::uint64_t cycle) const {
        Place place;
        for (std::size_t low = 0, high = marks_.size(); low < high;) {
            const std::size_t middle = (low + high) / 2;
            if (marks_[middle].cycle > cycle) {
                high = middle;
            } else {
                place = marks_[middle];
                low = middle + 1;
            }
        }
        for (Place next = place; const std::optional<Change> change = take(next); place = next)
            if (change->cycle > cycle) break;
        return place;
    }
    /// The change at a place, which moves behind it; nothing at the end.
    std::optional<Change> take(Place& place) const {
        if (place.offset == bytes_.size()) return std::nullopt;
        place.cycle += number(place.offset);
        const auto handle = static_cast<std::uint32_t>(number(place.offset));
        const std::span value = std::span(bytes_).subspan(place.offset, sizes_[handle]);
        place.offset += value.size();
        return Change{place.cycle, handle, value};
    }
    /// The cycle of the change at a place; the greatest number at the end.
    std::uint64_t cycleAt(Place place) const {
        const std::optional<Change> change = take(place);
        return change ? change->cycle : ~std::uint64_t{0};
    }

    /// The first cycle before which something was set that is no input.
    std::optional<std::uint64_t> firstInternal() const {
        return internal_ ? std::optional(internal_->cycle) : std::nullopt;
    }
    std::size_t bytes() const { return bytes_.size(); }

private:
    static constexpr std::size_t kLongest = 10;     ///< bytes of a number
    static constexpr std::uint64_t kSpacing = 256;  ///< changes from one mark to the next

    Place end(std::uint64_t cycle) const { return {bytes_.size(), cycle}; }
    void append(std::uint64_t number) {
        for (; number >= 0x80; number >>= 7)
            bytes_.push_back(static_cast<std::byte>(number | 0x80));
        bytes_.push_back(static_cast<std::byte>(number));
    }
    std::uint64_t number(std::size_t& at) const {
        std::uint64_t result = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = static_cast<std::uint8_t>(bytes_[at++]);
            result |= std::uint64_t{byte & 0x7Fu} << shift;
            if ((byte & 0x80) == 0) return result;
        }
    }

    std::vector<std::byte> bytes_;
    std::vector<std::size_t> sizes_;  ///< of values, by handle
    std::vector<Place> marks_;        ///< of some changes, in order
    std::uint64_t count_ = 0;
    std::uint64_t last_ = 0;         ///< cycle of the last change
    std::optional<Place> internal_;  ///< of the first change that is of no input, with its cycle
};

}  // namespace sme
