// States at 0 1 2 3 4 5 6 7, no room for one more, 4 of them the tail:  0 2 4 5 6 7, spacing 2.

#include "engine/history.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace sme {

std::uint32_t History::keepPage(std::span<const std::byte> bytes) {
    Page page{{bytes.begin(), bytes.end()}, 1};
    if (firstFree_ == kNoPage) {
        pages_.push_back(std::move(page));
        return static_cast<std::uint32_t>(pages_.size() - 1);
    }
    const std::uint32_t number = firstFree_;
    firstFree_ = pages_[number].nextFree;
    pages_[number] = std::move(page);
    return number;
}

void History::keepPages(std::span<const std::byte> memory, Kept& kept) {
    const Kept* before = states_.empty() ? nullptr : &states_.rbegin()->second;
    for (std::size_t at = 0; at < memory.size(); at += kPage) {
        const std::span<const std::byte> page =
            memory.subspan(at, std::min(kPage, memory.size() - at));
        const std::size_t i = at / kPage;
        if (before && i < before->pages.size()) {
            Page& old = pages_[before->pages[i]];
            if (old.bytes.size() == page.size()
                && std::memcmp(old.bytes.data(), page.data(), page.size()) == 0) {
                ++old.uses;
                kept.pages.push_back(before->pages[i]);
                bytes_ += sizeof(std::uint32_t);
                continue;
            }
        }
        kept.pages.push_back(keepPage(page));
        bytes_ += page.size() + sizeof(std::uint32_t);
    }
}

/// All that needs memory comes first, in a map of its own whose node then moves.
void History::keep(Snapshot state) {
    std::vector<std::byte> memory = std::move(state.memory);
    state.memory.clear();
    const std::uint64_t cycle = state.cycle;
    std::map<std::uint64_t, Kept> added;
    Kept& kept = added.emplace(cycle, Kept{std::move(state), memory.size(), {}}).first->second;
    kept.pages.reserve((memory.size() + kPage - 1) / kPage);
    try {
        keepPages(memory, kept);
    } catch (...) {
        drop(kept);
        throw;
    }
    spare_ = std::move(memory);
    if (const auto old = states_.find(cycle); old != states_.end()) {
        drop(old->second);
        states_.erase(old);
    }
    states_.insert(added.extract(added.begin()));
}

/// Needs no memory.
void History::drop(const Kept& kept) {
    for (const std::uint32_t number : kept.pages) {
        Page& page = pages_[number];
        if (--page.uses > 0) continue;
        bytes_ -= page.bytes.size();
        page.bytes = std::vector<std::byte>();  // {} would keep its memory
        page.nextFree = std::exchange(firstFree_, number);
    }
    bytes_ -= kept.pages.size() * sizeof(std::uint32_t);
}

/// Keeps the first state, the tail, and of those between the ones that are twice as far apart. Where
/// there are none between, the tail gets shorter.
void History::thin() {
    if (states_.size() <= kTail + 1) {
        const auto second = std::next(states_.begin());
        drop(second->second);
        states_.erase(second);
        return;
    }
    spacing_ *= 2;
    const auto tail = std::prev(states_.end(), kTail);
    std::uint64_t last = states_.begin()->first;
    for (auto state = std::next(states_.begin()); state != tail;) {
        if (state->first - last >= spacing_) {
            last = state->first;
            ++state;
        } else {
            drop(state->second);
            state = states_.erase(state);
        }
    }
}

/// Where what the last state cost is more than its share of the time that the run took since: as much
/// wider as it takes, but not at once, for one measurement may be wrong.
void History::pace(double took, double ran) {
    constexpr int kMostDoublings = 3;
    for (int i = 0; i < kMostDoublings && took > budget_.share * ran && ran > 0; ++i) {
        spacing_ *= 2;
        ran *= 2;
    }
}

void History::add(Snapshot state, double took, double ran) {
    const std::uint64_t cycle = state.cycle;
    pace(took, ran);
    forgetAfter(cycle);
    keep(std::move(state));
    while (isFull() && states_.size() > 2)
        thin();
    if (isFull()) spare_ = std::vector<std::byte>();
    next_ = cycle + spacing_;
}

Snapshot History::before(std::uint64_t cycle) const {
    const Kept& kept = std::prev(states_.upper_bound(cycle))->second;
    Snapshot state = kept.state;
    state.memory.reserve(kept.size);
    for (const std::uint32_t number : kept.pages) {
        const std::vector<std::byte>& page = pages_[number].bytes;
        state.memory.insert(state.memory.end(), page.begin(), page.end());
    }
    return state;
}

void History::forgetAfter(std::uint64_t cycle) {
    const auto first = states_.upper_bound(cycle);
    for (auto state = first; state != states_.end(); ++state)
        drop(state->second);
    states_.erase(first, states_.end());
    next_ = states_.empty() ? 0 : states_.rbegin()->first + spacing_;
}

void History::forget() {
    states_.clear();
    pages_.clear();
    firstFree_ = kNoPage;
    spare_ = std::vector<std::byte>();
    bytes_ = 0;
    next_ = 0;
}

std::vector<std::uint64_t> History::cycles() const {
    std::vector<std::uint64_t> cycles;
    for (const auto& [cycle, kept] : states_)
        cycles.push_back(cycle);
    return cycles;
}

}  // namespace sme
