#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/snapshot.h"

namespace sme {

/// States of the past within a budget of memory and time, for going back: evenly spaced ones, and
/// each of the last few. When the budget is full, every second one goes and the spacing doubles. A
/// page of memory that is as it was in the state before is kept once.
class History {
public:
    struct Budget {
        std::size_t bytes = std::size_t{256} << 20;
        double share = 0.01;  ///< of the time
    };
    explicit History(const Budget& budget) : budget_(budget) {}

    /// The next cycle before which a state is to be kept.
    std::uint64_t next() const { return next_; }
    /// A state of next(), or of any later cycle than those before. `took`: what taking it cost, and
    /// `ran`: the run since the state before, in the same unit of time. Where it throws
    /// std::bad_alloc, all states but this one are as they were.
    void add(Snapshot state, double took, double ran);
    /// Memory of a state that was added, for the next one: new memory costs more than to fill it.
    std::vector<std::byte> takeSpare() { return std::move(spare_); }
    /// The latest state of at most this cycle. There must be one.
    Snapshot before(std::uint64_t cycle) const;
    /// Forgets what is of later cycles: the run goes on from there in another way.
    void forgetAfter(std::uint64_t cycle);
    /// Forgets all states; the spacing stays.
    void forget();

    const Budget& budget() const { return budget_; }
    /// Whether there is a state of this cycle or one before.
    bool reaches(std::uint64_t cycle) const {
        return !states_.empty() && states_.begin()->first <= cycle;
    }
    std::uint64_t spacing() const { return spacing_; }
    std::size_t bytes() const { return bytes_; }  ///< that states take
    std::vector<std::uint64_t> cycles() const;

private:
    static constexpr std::size_t kPage = 4096;
    /// So many of the last states stay where there is room.
    static constexpr std::size_t kTail = 4;
    static constexpr std::uint32_t kNoPage = ~std::uint32_t{0};
    struct Page {
        std::vector<std::byte> bytes;
        std::uint32_t uses = 0;
        std::uint32_t nextFree = kNoPage;  ///< where nobody uses it
    };
    struct Kept {
        Snapshot state;                    ///< without its memory
        std::size_t size = 0;              ///< of the memory
        std::vector<std::uint32_t> pages;  ///< numbers in pages_
    };

    std::uint32_t keepPage(std::span<const std::byte> bytes);
    void keepPages(std::span<const std::byte> memory, Kept& kept);
    void keep(Snapshot state);
    void drop(const Kept& kept);
    bool isFull() const { return bytes_ + spare_.capacity() > budget_.bytes; }
    void thin();
    void pace(double took, double ran);

    Budget budget_;
    std::uint64_t spacing_ = 1;  ///< cycles
    std::uint64_t next_ = 0;
    std::size_t bytes_ = 0;
    std::map<std::uint64_t, Kept> states_;  ///< by cycle
    std::vector<Page> pages_;
    std::uint32_t firstFree_ = kNoPage;
    std::vector<std::byte> spare_;
};

}  // namespace sme
