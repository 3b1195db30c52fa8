#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "driver/diff/trace_reader.h"

namespace smec::driver {

/// A signal that is not the same in two traces.
struct SignalDifference {
    std::string name;
    std::uint64_t cycles = 0;  ///< in which it differs
    std::uint64_t first = 0;
    std::string left, right;  ///< as people read them, in the first of these cycles
    bool operator==(const SignalDifference&) const = default;
};

/// What two traces tell of one run, signal by signal.
struct TraceDifference {
    std::size_t common = 0;                        ///< signals that both have
    std::vector<std::string> onlyLeft, onlyRight;  ///< but for clocks
    std::uint64_t leftStart = 0, rightStart = 0;   ///< the first cycles
    std::uint64_t leftEnd = 0, rightEnd = 0;       ///< the cycles after the last ones
    std::vector<SignalDifference> signals;         ///< those that come first in front

    /// The cycles that both have: from the one to before the other.
    std::uint64_t start() const { return std::max(leftStart, rightStart); }
    std::uint64_t end() const { return std::min(leftEnd, rightEnd); }
    bool isCompared() const { return common > 0 && start() < end(); }
    /// What was not compared is not the same.
    bool isSame() const { return isCompared() && signals.empty() && leftEnd == rightEnd; }
};

/// Reads both to their ends. Signals belong together by name, cycles by number; compared is what
/// both have. Throws BadTrace.
TraceDifference diffTraces(TraceReader& left, TraceReader& right);

}  // namespace smec::driver
