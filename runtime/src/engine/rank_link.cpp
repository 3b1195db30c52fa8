#include "engine/rank_link.h"

#include <algorithm>

#include "engine/target.h"
#include "output/log.h"
#include "schedule/machine.h"

namespace sme {
namespace {

constexpr unsigned kPaceBit = 16;  // of what is reduced: rank 0's interval; flags are below
constexpr std::uint32_t kLongest = 20;
static_assert(kHasOutput < (1u << kPaceBit));
static_assert(kLongest < (1u << (Mailboxes::kBits - kPaceBit)));

}  // namespace

RankLink::RankLink(Transport& transport, const std::vector<Halo>& halos,
                   const std::vector<Halo>& cutHalos, const Model& model, const Arena& arena,
                   RankWait wait)
    : transport_(transport),
      exchange_(transport, halos, cutHalos, model, arena, wait),
      asksAlways_(asksAlways(model)),
      asked_(nowNs()) {}

template <typename Function>
void RankLink::guarded(const Function& function) {
    if (problem_) return;
    const std::uint64_t start = ticks();
    try {
        function();
    } catch (...) {
        problem_ = std::current_exception();
    }
    waited_ += ticks() - start;
}

void RankLink::cross(std::uint32_t level, std::uint64_t cycle) {
    if (isOpen(level)) return open(level, cycle, 0);
    if (!isAt(level)) return;
    guarded([&] {
        if (travel_ == Travel::Waits) beginOpen();
        exchange_.begin(level, cycle);
        if (travel_ == Travel::Begun) exchange_.finish(openLevel_, openCycle_);
        exchange_.finish(level, cycle);
    });
    travel_ = Travel::None;
    isWanted_ = false;
}

void RankLink::open(std::uint32_t level, std::uint64_t cycle, unsigned others) {
    openLevel_ = level;
    openCycle_ = cycle;
    expected_ += others;
    travel_ = Travel::Waits;
    isWanted_ = true;
    look();
}

void RankLink::beginOpen() {
    exchange_.begin(openLevel_, openCycle_);
    travel_ = Travel::Begun;
}

/// Parcels in memory need nobody to carry on with them.
void RankLink::look() {
    guarded([&] {
        if (travel_ == Travel::Waits) {
            // acquire: see arrive()
            if (arrived_.load(std::memory_order_acquire) != expected_) return;
            beginOpen();
        }
        isWanted_ = exchange_.isCarrying(openLevel_);
    });
    isWanted_ = isWanted_ && !problem_;
}

/// Rank 0 has the clock. Twice the cycles, or half of them, where ranks asked too often or too
/// rarely.
std::uint64_t RankLink::pace() {
    const std::int64_t now = nowNs();
    const std::int64_t since = now - asked_;
    asked_ = now;
    if (since < target::kRankLookNs / 2) interval_ = std::min(interval_ + 1, kLongest);
    if (since > target::kRankLookNs * 2 && interval_ > 0) --interval_;
    return std::uint64_t{interval_} << kPaceBit;
}

std::uint64_t RankLink::unite(std::uint64_t bits) {
    Mailboxes* const boxes = exchange_.mailboxes();
    if (!boxes) return transport_.reduce(bits);
    bits = boxes->reduce(bits);
    boxes->passed();
    return bits;
}

std::uint32_t RankLink::agree(std::uint64_t cycle, std::uint32_t flags) {
    owed_ |= flags;
    if (!asksAlways_ && cycle < next_ && !problem_) return 0;
    std::uint64_t all = 0;
    guarded([&] {
        const bool setsPace = !asksAlways_ && transport_.setsPace();
        const std::uint64_t start = ticks();
        all = unite(owed_ | (setsPace ? pace() : 0));
        fastest_ = std::min(fastest_, ticks() - start);
    });
    owed_ = 0;
    next_ = cycle + (std::uint64_t{1} << (all >> kPaceBit));
    const auto agreed = static_cast<std::uint32_t>(all & ((1u << kPaceBit) - 1));
    return problem_ ? agreed | kNoMemory : agreed;
}

AheadPace::Stretch RankLink::plan(AheadPace::Stretch wanted, bool canGoBack) {
    constexpr std::uint64_t kAhead = 32;
    constexpr std::uint64_t kOwes = 64;
    constexpr std::uint64_t kCannot = 128;
    static_assert(AheadPace::kLongestAhead < kAhead && AheadPace::kLongestPause < kAhead);
    static_assert(kCannot < (std::uint64_t{1} << Mailboxes::kBits));
    std::uint64_t all = 0;
    const std::uint64_t own =
        transport_.setsPace() ? wanted.log | (wanted.isAhead ? kAhead : std::uint64_t{0}) : 0;
    guarded([&] { all = unite(own | (owed_ != 0 ? kOwes : 0) | (canGoBack ? 0 : kCannot)); });
    if ((all & kCannot) != 0) return {AheadPace::kLongestAhead, false};
    return {static_cast<unsigned>(all & (kAhead - 1)), (all & (kAhead | kOwes)) == kAhead};
}

OverlapTrial::Stretch RankLink::plan(OverlapTrial::Stretch wanted) {
    constexpr std::uint64_t kThatOverlaps = 64;
    constexpr std::uint64_t kThatIsLast = 128;
    static_assert(OverlapTrial::kLongest < kThatOverlaps);
    std::uint64_t all = 0;
    const std::uint64_t own = wanted.log | (wanted.overlaps ? kThatOverlaps : std::uint64_t{0})
                              | (wanted.isLast ? kThatIsLast : std::uint64_t{0});
    guarded([&] { all = unite(transport_.setsPace() ? own : 0); });
    return {static_cast<unsigned>(all & (kThatOverlaps - 1)), (all & kThatOverlaps) != 0,
            (all & kThatIsLast) != 0 || problem_};
}

std::uint32_t RankLink::answer(std::uint32_t flags) {
    std::uint64_t all = 0;
    guarded([&] { all = unite(flags); });
    const auto agreed = static_cast<std::uint32_t>(all);
    return problem_ ? agreed | kNoMemory : agreed;
}

std::vector<std::vector<std::byte>> RankLink::gather(std::span<const std::byte> bytes) {
    std::vector<std::vector<std::byte>> all;
    guarded([&] { all = transport_.gather(bytes); });
    return all;
}

}  // namespace sme
