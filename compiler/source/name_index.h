#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

namespace smec {

/// The numbers of a list's elements in the order of their names, for lists that are searched once for
/// each time a source names one of them. It belongs to the list as it is when this is made: elements
/// with a `name`, at most 2^32. Of equal names it finds the first.
class NameIndex {
public:
    NameIndex() = default;
    template <typename Named>
    explicit NameIndex(const std::vector<Named>& list) : order_(list.size()) {
        std::iota(order_.begin(), order_.end(), 0U);
        std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return list[a].name < list[b].name;
        });
    }

    /// O(log n) comparisons.
    template <typename Named>
    std::optional<std::uint32_t> find(const std::vector<Named>& list, std::string_view name) const {
        const auto at = std::lower_bound(order_.begin(), order_.end(), name,
                                         [&](std::uint32_t number, std::string_view wanted) {
                                             return list[number].name < wanted;
                                         });
        if (at == order_.end() || list[*at].name != name) return std::nullopt;
        return *at;
    }

private:
    std::vector<std::uint32_t> order_;
};

}  // namespace smec
