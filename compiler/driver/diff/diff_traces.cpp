// Only what changes is looked at: a signal that differs is counted when it ceases to.

#include "driver/diff/diff_traces.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace smec::driver {
namespace {

bool isClock(const TracedSignal& signal) {
    return signal.name == "clk" && signal.spelling == Spelling::Bits && signal.width == 1;
}

/// Formats of viewers show the field `v` of a bus as the bus: out.v and out, out.v[2] and out[2].
std::string keyOf(std::string name) {
    std::size_t end = name.size();
    while (end > 0 && name[end - 1] == ']')
        end = std::min(name.rfind('[', end - 1), end - 1);
    if (std::string_view(name).substr(0, end).ends_with(".v")) name.erase(end - 2, 2);
    return name;
}

struct Pair {
    std::size_t left, right;
    std::optional<std::uint64_t> since;  ///< the cycle from which on they differ
    SignalDifference difference;
};

/// One of the traces, with the values that it has in the cycle at hand: the reader is ahead.
struct Side {
    TraceReader& trace;
    bool isThere = false;  ///< there is a next cycle of which the trace says something
    std::vector<std::string> values;
    std::vector<std::size_t> pairOf;  ///< by signal

    void advance() { isThere = trace.next(); }
    std::uint64_t cycle() const { return isThere ? trace.cycle() : ~std::uint64_t{0}; }
    bool isOver(std::uint64_t at) const { return !isThere && at >= trace.end(); }
};

class TraceDiffer {
public:
    TraceDiffer(TraceReader& left, TraceReader& right)
        : left_{left, false, {}, {}}, right_{right, false, {}, {}} {}

    TraceDifference run() {
        matchNames();
        left_.advance();
        right_.advance();
        result_.leftStart = left_.isThere ? left_.cycle() : 0;
        result_.rightStart = right_.isThere ? right_.cycle() : 0;
        const std::uint64_t start = std::max(left_.cycle(), right_.cycle());
        while (left_.isThere || right_.isThere) {
            const std::uint64_t cycle = std::min(left_.cycle(), right_.cycle());
            for (Side* side : {&left_, &right_})
                if (side->cycle() == cycle) take(*side);
            const std::uint64_t upcoming = std::min(left_.cycle(), right_.cycle());
            if (cycle > start && !left_.isOver(cycle) && !right_.isOver(cycle))
                judgeTouched(cycle);
            else if (cycle <= start && upcoming > start)
                judgeAll(start);
            touched_.clear();
        }
        result_.leftEnd = left_.trace.end();
        result_.rightEnd = right_.trace.end();
        return finish();
    }

private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    void matchNames() {
        std::unordered_map<std::string, std::size_t> names;
        const std::vector<TracedSignal>& ours = left_.trace.signals();
        const std::vector<TracedSignal>& theirs = right_.trace.signals();
        for (std::size_t i = 0; i < theirs.size(); ++i)
            names.emplace(keyOf(theirs[i].name), i);
        for (Side* side : {&left_, &right_}) {
            side->pairOf.assign(side->trace.signals().size(), kNone);
            side->values.resize(side->pairOf.size());
        }
        for (std::size_t i = 0; i < ours.size(); ++i) {
            const auto found = names.find(keyOf(ours[i].name));
            if (found != names.end() && right_.pairOf[found->second] == kNone) {
                left_.pairOf[i] = right_.pairOf[found->second] = pairs_.size();
                pairs_.push_back({i, found->second, {}, {ours[i].name, 0, 0, {}, {}}});
            } else if (!isClock(ours[i])) {
                result_.onlyLeft.push_back(ours[i].name);
            }
        }
        for (std::size_t i = 0; i < theirs.size(); ++i)
            if (right_.pairOf[i] == kNone && !isClock(theirs[i]))
                result_.onlyRight.push_back(theirs[i].name);
        result_.common = pairs_.size();
    }

    void take(Side& side) {
        for (const std::size_t signal : side.trace.changed()) {
            if (side.pairOf[signal] == kNone) continue;
            side.values[signal] = side.trace.value(signal);
            touched_.push_back(side.pairOf[signal]);
        }
        side.advance();
    }

    void judgeTouched(std::uint64_t cycle) {
        for (const std::size_t pair : touched_)
            judge(pairs_[pair], cycle);
    }
    void judgeAll(std::uint64_t cycle) {
        for (Pair& pair : pairs_)
            judge(pair, cycle);
    }

    void judge(Pair& pair, std::uint64_t cycle) {
        const TracedSignal& a = left_.trace.signals()[pair.left];
        const TracedSignal& b = right_.trace.signals()[pair.right];
        const std::string_view x = left_.values[pair.left], y = right_.values[pair.right];
        const bool isSame = isSameValue(a, x, b, y);
        if (isSame) return close(pair, cycle);
        if (pair.since) return;
        pair.since = cycle;
        if (pair.difference.cycles > 0) return;
        pair.difference.first = cycle;
        pair.difference.left = shownValue(a, x);
        pair.difference.right = shownValue(b, y);
    }

    static void close(Pair& pair, std::uint64_t cycle) {
        if (pair.since) pair.difference.cycles += cycle - *pair.since;
        pair.since.reset();
    }

    TraceDifference finish() {
        const std::uint64_t end = std::min(result_.leftEnd, result_.rightEnd);
        for (Pair& pair : pairs_) {
            close(pair, end);
            if (pair.difference.cycles > 0) result_.signals.push_back(std::move(pair.difference));
        }
        std::stable_sort(
            result_.signals.begin(), result_.signals.end(),
            [](const SignalDifference& a, const SignalDifference& b) { return a.first < b.first; });
        return std::move(result_);
    }

    Side left_, right_;
    TraceDifference result_;
    std::vector<Pair> pairs_;
    std::vector<std::size_t> touched_;  ///< pairs with news in the cycle at hand
};

}  // namespace

TraceDifference diffTraces(TraceReader& left, TraceReader& right) {
    return TraceDiffer(left, right).run();
}

}  // namespace smec::driver
