#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace smec::elab {

/// Interns sequences of numbers: equal sequences get equal ids, 0, 1, 2, … A few bytes beyond the
/// numbers themselves.
class TupleTable {
public:
    std::uint32_t intern(std::span<const std::uint64_t> tuple);
    std::span<const std::uint64_t> operator[](std::uint32_t id) const {
        return std::span(data_).subspan(starts_[id], starts_[id + 1] - starts_[id]);
    }
    std::size_t size() const { return starts_.size() - 1; }

private:
    void grow();
    std::size_t slotOf(std::span<const std::uint64_t> tuple) const;

    std::vector<std::uint64_t> data_;
    std::vector<std::size_t> starts_{0};
    std::vector<std::uint32_t> slots_;  ///< open addressing; id + 1, or 0
};

}  // namespace smec::elab
