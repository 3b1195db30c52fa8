#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "diag/diagnostics.h"

// Damerau-Levenshtein distance in its restricted form (optimal string alignment): insertions,
// deletions, replacements and swaps of neighbours cost one each. totl -> total: 1. A change of case
// alone counts as near, whatever the length.

namespace smec {

namespace {

constexpr std::size_t kLongestName = 64;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool equalButCase(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

/// What both begin and end with costs nothing, and names of a design have much of it in common.
void dropCommon(std::string_view& a, std::string_view& b) {
    const auto start = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    const auto same = static_cast<std::size_t>(start.first - a.begin());
    a.remove_prefix(same), b.remove_prefix(same);
    const auto end = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    const auto tail = static_cast<std::size_t>(end.first - a.rbegin());
    a.remove_suffix(tail), b.remove_suffix(tail);
}

/// `limit`: it is that or more. Where two names differ by less, their letters are that near.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
    dropCommon(a, b);
    using Row = std::array<std::size_t, 2 * kLongestName + 1>;
    Row before, above, row;
    for (std::size_t j = 0; j <= b.size(); ++j)
        above[j] = j;
    before = row = above;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        const std::size_t first = i > limit ? i - limit : 1, last = std::min(b.size(), i + limit);
        std::size_t least = row[first - 1] = first == 1 ? i : limit;
        for (std::size_t j = first; j <= last; ++j) {
            std::size_t replace = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
            least = std::min(least, row[j]);
        }
        if (last < b.size()) row[last + 1] = limit;
        if (least >= limit) return limit;
        std::swap(before, above);
        std::swap(above, row);
    }
    return std::min(above[b.size()], limit);
}

// How far a slip may be: none in one letter, one in up to five, two in up to eight, then a third of
// the length.
std::size_t threshold(std::size_t length) {
    if (length <= 1) return 0;
    if (length <= 5) return 1;
    return std::max<std::size_t>(2, length / 3);
}

}  // namespace

std::string nearestName(std::string_view name, const std::vector<std::string>& candidates) {
    if (name.size() > kLongestName) return {};
    std::size_t best = threshold(name.size()) + 1;
    const std::string* nearest = nullptr;
    for (const std::string& candidate : candidates) {
        std::size_t gap =
            std::max(candidate.size(), name.size()) - std::min(candidate.size(), name.size());
        if (candidate.empty() || candidate == name || gap >= best) continue;
        std::size_t cost = equalButCase(name, candidate) ? 0 : distance(name, candidate, best);
        if (cost >= best) continue;
        best = cost;
        nearest = &candidate;
    }
    return nearest ? *nearest : std::string();
}

}  // namespace smec
