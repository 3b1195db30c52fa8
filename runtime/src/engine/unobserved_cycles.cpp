#include "engine/unobserved_cycles.h"

#include <algorithm>
#include <new>

#include "engine/target.h"

namespace sme {

StretchPace::StretchPace(double cost, bool mayEnd, std::uint64_t bytes) : mayEnd_(mayEnd) {
    const double cycle = std::max(cost, 1.0);
    const auto cycles = [&](double units) { return static_cast<std::uint64_t>(units / cycle); };
    most_ = std::clamp<std::uint64_t>(cycles(target::kStretchCost), target::kLeastStretch,
                                      target::kMostStretch);
    if (!mayEnd) return;
    const double copy = static_cast<double>(bytes) / target::kCopyBytesPerUnit + target::kCopyCost;
    copy_ = cycles(copy) + 1;
    least_ = std::max(target::kLeastStretch, cycles(copy * target::kCopyShare));
    most_ = std::max(most_, 8 * least_);
    const std::uint64_t longest = cycles(target::kLongestStretchCost);
    most_ = std::min(most_, std::max(longest, target::kLeastStretch));
    isHopeless_ = least_ > most_;
}

std::uint64_t StretchPace::next(std::uint64_t most) const {
    if (!mayEnd_) return std::min(most, most_);
    if (isHopeless_ || most < least_ || vain_ * target::kVainShare > all_) return 0;
    return std::min(most, std::clamp(since_ / target::kVainShare, least_, most_));
}

std::uint64_t StretchPace::rest(std::uint64_t most) const {
    const std::uint64_t wanted = vain_ * target::kVainShare + 1;
    if (isHopeless_ || most < least_ || wanted <= all_) return std::max<std::uint64_t>(most, 1);
    return wanted - all_;
}

void StretchPace::broke(std::uint64_t cycles) {
    passed(cycles);
    vain_ += cycles + 2 * copy_;
    since_ = 0;
}

namespace {

std::uint64_t bytesOf(const Model& model) { return 2 * model.clockedBytes + model.stateBytes; }

}  // namespace

UnobservedCycles::UnobservedCycles(const Model& model, ClockGroup group, Arena& arena)
    : work_(model.work[0].unobserved),
      group_(group),
      arena_(arena),
      pace_(model.work[0].cost * model.work[0].count, work_.mayEnd, bytesOf(model)) {}

std::uint64_t UnobservedCycles::run(Worker& worker, std::uint64_t cycle, std::uint64_t end,
                                    const std::atomic<std::uint32_t>* request,
                                    std::atomic<std::uint64_t>* shown) {
    pace_.passed(cycle - counted_);
    askAt_ = cycle + 1;
    while (cycle < end) {
        const std::uint64_t most = pace_.next(end - cycle);
        if (most == 0 || !keep()) {
            askAt_ = cycle + pace_.rest(end - cycle);
            break;
        }
        isSettled_ = false;
        const std::uint64_t ran = stretch(worker, cycle, most);
        cycle += ran;
        askAt_ = cycle + 1;
        // relaxed: only shown, and a wish for the end, with which nothing is handed over
        if (shown) shown->store(cycle, std::memory_order_relaxed);
        if (ran < most || (request && request->load(std::memory_order_relaxed) != 0)) break;
    }
    counted_ = cycle;
    return cycle;
}

void UnobservedCycles::runOne(Worker& worker) {
    isSettled_ = false;
    runCycles(worker, worker.slots, 1);
}

bool UnobservedCycles::keep() {
    if (!work_.mayEnd) return true;
    try {
        kept_ = arena_.copy(std::move(kept_));
    } catch (const std::bad_alloc&) {
        pace_.giveUp();
        return false;
    }
    return true;
}

std::uint64_t UnobservedCycles::stretch(Worker& worker, std::uint64_t cycle, std::uint64_t most) {
    const Slots first = arena_.slots(cycle, group_);
    const std::uint64_t ran = runCycles(worker, first, most);
    if (ran == most) {
        pace_.passed(ran);
        return ran;
    }
    // functions of the design may have said it
    worker.log.at(0).clear();
    worker.log.at(1).clear();
    arena_.assign(kept_);
    pace_.broke(ran);
    return ran == 0 ? 0 : runCycles(worker, first, ran);
}

std::uint64_t UnobservedCycles::runCycles(Worker& worker, const Slots& first,
                                          std::uint64_t most) const {
    worker.log.flags = 0;
    const std::uint64_t ran = work_.cycles(worker.own, first, most);
    worker.log.flags = 0;
    return ran;
}

}  // namespace sme
