#include <algorithm>
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

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t replace = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, above);
        std::swap(above, row);
    }
    return above[b.size()];
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
        std::size_t cost = equalButCase(name, candidate) ? 0 : distance(name, candidate);
        if (cost >= best) continue;
        best = cost;
        nearest = &candidate;
    }
    return nearest ? *nearest : std::string();
}

}  // namespace smec
