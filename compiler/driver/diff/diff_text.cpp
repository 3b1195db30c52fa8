#include "driver/diff/diff_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace smec::driver {
namespace {

std::string signalsOf(std::size_t count) {
    return fmt::format("{} {}", count, count == 1 ? "signal" : "signals");
}

/// "3 signals are in a.csv only: x, y and z".
std::string onlyIn(const std::vector<std::string>& names, const std::string& file) {
    constexpr std::size_t kMost = 5;
    if (names.empty()) return {};
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
        list += (i > 0 ? ", " : "") + names[i];
    if (names.size() > kMost) list += ", …";
    return fmt::format("{} {} in {} only: {}\n", signalsOf(names.size()),
                       names.size() == 1 ? "is" : "are", file, list);
}

std::string cyclesOf(std::uint64_t start, std::uint64_t end) {
    if (end <= start) return "no cycle";
    return end == start + 1 ? fmt::format("cycle {}", start)
                            : fmt::format("cycles {} to {}", start, end - 1);
}

/// Columns as wide as what stands in them; numbers to the right.
std::string table(const TraceDifference& difference, const std::string& left,
                  const std::string& right, std::size_t most) {
    const std::size_t count = std::min(difference.signals.size(), most);
    std::size_t name = 6, value = left.size();
    for (std::size_t i = 0; i < count; ++i) {
        name = std::max(name, difference.signals[i].name.size());
        value = std::max(value, difference.signals[i].left.size());
    }
    std::string text = fmt::format("{:<{}} {:>10} {:>10}  {:<{}}  {}\n", "signal", name, "cycles",
                                   "first", left, value, right);
    for (std::size_t i = 0; i < count; ++i) {
        const SignalDifference& each = difference.signals[i];
        text += fmt::format("{:<{}} {:>10} {:>10}  {:<{}}  {}\n", each.name, name, each.cycles,
                            each.first, each.left, value, each.right);
    }
    if (count < difference.signals.size())
        text += fmt::format("and {} more\n", difference.signals.size() - count);
    return text;
}

}  // namespace

std::string toText(const TraceDifference& difference, const std::string& left,
                   const std::string& right, std::size_t most) {
    std::string text = onlyIn(difference.onlyLeft, left) + onlyIn(difference.onlyRight, right);
    if (difference.common == 0) return text + "no signal is in both\n";
    if (difference.leftStart >= difference.leftEnd && difference.rightStart >= difference.rightEnd)
        return text + "nothing to compare: neither trace has a cycle\n";
    if (difference.leftStart != difference.rightStart)
        text += fmt::format("{} starts with cycle {}, {} with cycle {}\n", left,
                            difference.leftStart, right, difference.rightStart);
    if (difference.leftEnd != difference.rightEnd)
        text += fmt::format("{} has {}, {} has {}\n", left,
                            cyclesOf(difference.leftStart, difference.leftEnd), right,
                            cyclesOf(difference.rightStart, difference.rightEnd));
    if (!difference.isCompared()) return text + "nothing to compare: no cycle is in both\n";
    const std::string compared = cyclesOf(difference.start(), difference.end());
    if (difference.signals.empty())
        return text
               + fmt::format("{} {} the same in {}\n", signalsOf(difference.common),
                             difference.common == 1 ? "is" : "are", compared);
    return text
           + fmt::format("{} of {} differ in {}, first in cycle {}\n\n", difference.signals.size(),
                         signalsOf(difference.common), compared, difference.signals.front().first)
           + table(difference, left, right, most);
}

}  // namespace smec::driver
