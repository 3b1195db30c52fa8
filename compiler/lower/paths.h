#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hir/design.h"

namespace smec::lower {

/// Paths without building their text. Two instances whose paths differ in nothing but index values
/// have the same signature; their indices, outermost first, tell them apart.
///   a[1].b[2][3]   signature of "a[].b[][]", indices {1, 2, 3}
class Paths {
public:
    explicit Paths(const hir::Design& design);

    std::uint32_t signature(hir::InstanceId id) const { return signatures_[id.index]; }
    /// Appends the indices.
    void indices(hir::InstanceId id, std::vector<std::uint64_t>& out) const;
    void indices(hir::BusId id, std::vector<std::uint64_t>& out) const;

    /// A path cut at one of its indices (`cut`: its number; none: not cut): the text before and
    /// after the number.
    struct Split {
        std::string prefix;
        std::optional<std::string> suffix;
        std::uint64_t index = 0;
    };
    Split split(hir::InstanceId id, std::optional<std::size_t> cut) const;
    Split split(hir::BusId id, std::optional<std::size_t> cut) const;

private:
    void append(hir::InstanceId id, std::size_t cut, std::size_t& next, Split& out) const;
    const hir::Design& design_;
    std::vector<std::uint32_t> signatures_;
};

/// Finds where the last of a growing run of index lists counts up by one while everything else
/// stays the same.
class IndexRun {
public:
    /// Whether `indices` goes on where the run is; if so, it becomes its end.
    bool extend(const std::vector<std::uint64_t>& indices);
    /// A new run of one.
    void start(const std::vector<std::uint64_t>& indices);
    std::uint32_t count() const { return count_; }
    std::optional<std::size_t> position() const {
        return position_;
    }  ///< of the counting index; none while there is one

private:
    std::vector<std::uint64_t> last_;
    std::optional<std::size_t> position_;
    std::uint32_t count_ = 0;
};

}  // namespace smec::lower
