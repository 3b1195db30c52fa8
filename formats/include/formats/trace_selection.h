#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/trace_signal.h"

namespace sme {

/// What --trace writes: which names, from which cycle (included) to which (excluded).
struct TraceSelection {
    bool all = false;  ///< --trace-all; without filters and this: exposed fields
    std::vector<std::string>
        filters;  ///< globs; a name is in when one matches it or the field that it is a part of
    std::uint64_t start = 0;
    std::uint64_t stop = ~std::uint64_t{0};
    /// Elements of an array that are traced without filters; nothing: as the format has it.
    std::optional<std::uint64_t> elements;
    TraceTime time;
};

/// Whether it says what a trace shows, which is no use where there is none.
inline bool isSelective(const TraceSelection& selection) {
    return selection.all || !selection.filters.empty();
}
constexpr const char* kNoTrace = "--trace-all and --trace-filter say what a trace shows, and no "
                                 "trace is written; give --trace FILE";

/// Filters that show nothing, or not everywhere.
struct FilterFindings {
    std::vector<std::string> unmatched{};    ///< no name matches them
    std::vector<std::string> onlyInWaves{};  ///< they match only what formats of viewers have
};

/// The scalars that a selection names, in natural order of their names. Whoever knows the fields
/// and variables of a design walks over them and asks about each:
///
///     if (chooser.enter(name, isExposed))
///         for (each scalar of it)
///             if (chooser.take(scalar's name, type)) places.push_back(place of the scalar)
class TraceChooser {
public:
    explicit TraceChooser(const TraceSelection& selection)
        : selection_(selection), uses_(selection.filters.size(), Use::None) {}

    /// A variable, or a field of a bus. Whether some of its scalars may be shown.
    bool enter(std::string_view name, bool isExposed, bool isField = false,
               TraceShown shown = TraceShown::Everywhere);
    /// A scalar of the field or variable entered last. Whether it is shown. The type outlives what
    /// is chosen. One that only waves show has no parts, and its name ends in '_' where a variable
    /// has it.
    bool take(const std::string& name, const Type& type, TraceShown shown = TraceShown::Everywhere);

    struct Chosen {
        std::vector<TraceSignal> signals;
        std::vector<std::size_t> order;  ///< signal i is number order[i] of those that were taken
        FilterFindings findings{};
    };
    Chosen finish();

private:
    enum class Use : std::uint8_t { None, InWaves, Everywhere };
    void giveOwnNames();
    bool matchesAny(std::string_view name, TraceShown shown = TraceShown::Everywhere);

    const TraceSelection& selection_;
    std::vector<Use> uses_;  ///< by filter
    std::vector<TraceSignal> taken_;
    std::size_t whole_ = 0;     ///< length of the name entered last
    bool wholeMatches_ = true;  ///< all of its scalars are shown
    bool isExposed_ = false;    ///< it is
    bool isBus_ = false;        ///< it is the field `v` of a bus
};

}  // namespace sme
