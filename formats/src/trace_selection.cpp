#include "formats/trace_selection.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "formats/names.h"

namespace sme {
namespace {

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

/// Filters that are known to match something are not asked again once one has matched.
bool TraceChooser::matchesAny(std::string_view name, TraceShown shown) {
    const Use use = shown == TraceShown::Everywhere ? Use::Everywhere : Use::InWaves;
    bool found = false;
    for (std::size_t i = 0; i < uses_.size(); ++i) {
        if ((found && uses_[i] >= use) || !globMatches(selection_.filters[i], name)) continue;
        uses_[i] = std::max(uses_[i], use);
        found = true;
    }
    return found;
}

bool TraceChooser::enter(std::string_view name, bool isExposed, bool isField, TraceShown shown) {
    const bool isFiltered = !selection_.filters.empty();
    if (!isFiltered && !selection_.all && !isExposed) return false;
    whole_ = name.size();
    isExposed_ = isExposed;
    isBus_ = isField && name.ends_with(".v");
    wholeMatches_ = !isFiltered || matchesAny(name, shown);
    if (isFiltered && isBus_ && matchesAny(name.substr(0, whole_ - 2))) wholeMatches_ = true;
    return true;
}

bool TraceChooser::take(const std::string& name, const Type& type, TraceShown shown) {
    if (!wholeMatches_ && !matchesAny(name, shown)) return false;
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
    for (std::size_t i = 0; i < uses_.size(); ++i) {
        FilterFindings& findings = chosen.findings;
        if (uses_[i] == Use::None) findings.unmatched.push_back(selection_.filters[i]);
        if (uses_[i] == Use::InWaves) findings.onlyInWaves.push_back(selection_.filters[i]);
    }
    for (const std::size_t i : chosen.order)
        chosen.signals.push_back(std::move(taken_[i]));
    return chosen;
}

}  // namespace sme
