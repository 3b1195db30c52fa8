#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/trace_selection.h"

namespace sme {

/// What is said before a run of filters that find nothing to show. Nothing has been written then.
struct FilterNotes {
    std::string refusal;  ///< a file would have no column at all; empty: each has one
    std::vector<std::string> warnings;
};

/// Whoever asks: how it calls a filter, quotes a word, and what it says after one that matches nothing
/// ("; did you mean 'X'?", or nothing).
struct FilterAsker {
    std::string_view option;
    std::function<std::string(std::string_view)> quoted;
    std::function<std::string(const std::string&)> hint;
};

/// `tables`: the files among the traces that are not for viewers. Without filters there is nothing to say.
FilterNotes notesOf(const TraceSelection& selection, const FilterFindings& findings,
                    std::span<const std::string> tables, const FilterAsker& asker);

}  // namespace sme
