#include "elab/tuple_table.h"

#include <algorithm>

namespace smec::elab {

namespace {

std::uint64_t hashOf(std::span<const std::uint64_t> tuple) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ull + tuple.size();
    for (const std::uint64_t value : tuple) {
        hash = (hash ^ value) * 0xFF51AFD7ED558CCDull;
        hash ^= hash >> 32;
    }
    return hash;
}

}  // namespace

std::size_t TupleTable::slotOf(std::span<const std::uint64_t> tuple) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hashOf(tuple) & mask;; slot = (slot + 1) & mask) {
        if (slots_[slot] == 0 || std::ranges::equal((*this)[slots_[slot] - 1], tuple)) return slot;
    }
}

void TupleTable::grow() {
    slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), 0);
    for (std::uint32_t id = 0; id < size(); ++id)
        slots_[slotOf((*this)[id])] = id + 1;
}

std::uint32_t TupleTable::intern(std::span<const std::uint64_t> tuple) {
    if (size() * 2 >= slots_.size()) grow();
    const std::size_t slot = slotOf(tuple);
    if (slots_[slot] != 0) return slots_[slot] - 1;
    const auto id = static_cast<std::uint32_t>(size());
    data_.insert(data_.end(), tuple.begin(), tuple.end());
    starts_.push_back(data_.size());
    slots_[slot] = id + 1;
    return id;
}

}  // namespace smec::elab
