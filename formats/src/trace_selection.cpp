#include "formats/trace_selection.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "formats/names.h"

namespace sme {
namespace {

bool matchesAny(const std::vector<std::string>& globs, std::string_view name) {
    return std::any_of(globs.begin(), globs.end(),
                       [&](const std::string& glob) { return globMatches(glob, name); });
}

/// Of "[2].x[13]": 13.
std::uint64_t largestIndex(std::string_view parts) {
    std::uint64_t largest = 0;
    for (std::size_t at = 0; (at = parts.find('[', at)) != std::string_view::npos;) {
        std::uint64_t index = 0;
        for (++at; at < parts.size() && parts[at] >= '0' && parts[at] <= '9'; ++at)
            index = index * 10 + static_cast<std::uint64_t>(parts[at] - '0');
        largest = std::max(largest, index);
    }
    return largest;
}

}  // namespace

bool TraceChooser::enter(std::string_view name, bool isExposed, bool isField) {
    const bool isFiltered = !selection_.filters.empty();
    if (!isFiltered && !selection_.all && !isExposed) return false;
    whole_ = name.size();
    isExposed_ = isExposed;
    isBus_ = isField && name.ends_with(".v");
    wholeMatches_ = !isFiltered || matchesAny(selection_.filters, name)
                    || (isBus_ && matchesAny(selection_.filters, name.substr(0, whole_ - 2)));
    return true;
}

bool TraceChooser::take(const std::string& name, const Type& type, TraceShown shown) {
    if (!wholeMatches_ && !matchesAny(selection_.filters, name)) return false;
    const std::string_view parts = std::string_view(name).substr(whole_);
    const bool isBus = isBus_ && parts.find('.') == std::string_view::npos;
    taken_.push_back({name, whole_, &type, largestIndex(parts), isExposed_, shown, isBus});
    return true;
}

/// A variable may be called as what only waves show.
void TraceChooser::giveOwnNames() {
    std::unordered_set<std::string_view> names;
    for (const TraceSignal& signal : taken_)
        if (signal.shown == TraceShown::Everywhere) names.insert(signal.name);
    for (TraceSignal& signal : taken_) {
        if (signal.shown == TraceShown::Everywhere) continue;
        while (names.contains(signal.name))
            signal.name.push_back('_');
        signal.whole = signal.name.size();
    }
}

TraceChooser::Chosen TraceChooser::finish() {
    giveOwnNames();
    Chosen chosen;
    chosen.order.resize(taken_.size());
    std::iota(chosen.order.begin(), chosen.order.end(), std::size_t{0});
    std::stable_sort(chosen.order.begin(), chosen.order.end(), [&](std::size_t a, std::size_t b) {
        return naturalLess(taken_[a].name, taken_[b].name);
    });
    for (const std::size_t i : chosen.order)
        chosen.signals.push_back(std::move(taken_[i]));
    return chosen;
}

}  // namespace sme
