#include "formats/filter_notes.h"

namespace sme {
namespace {

std::string matchesNothing(const std::string& filter, const FilterAsker& asker) {
    return std::string(asker.option) + " " + asker.quoted(filter) + " matches no field or variable";
}

std::string matchesWaitsOnly(const std::string& filter, const std::string& table,
                             const FilterAsker& asker) {
    return std::string(asker.option) + " " + asker.quoted(filter)
           + " matches only where processes wait, which " + asker.quoted(table)
           + " does not show; .vcd and .fst do";
}

/// Of those that match nothing, and of those that a table does not show.
std::string refusalOf(const TraceSelection& selection, const FilterFindings& findings,
                      std::span<const std::string> tables, const FilterAsker& asker) {
    if (findings.unmatched.size() == selection.filters.size()) {
        const std::string& first = findings.unmatched.front();
        const std::string hint = asker.hint(first);
        const bool hasList = asker.option.starts_with("--");
        return matchesNothing(first, asker)
               + (hint.empty() && hasList ? "; --list shows them" : hint);
    }
    const std::size_t useless = findings.unmatched.size() + findings.onlyInWaves.size();
    if (tables.empty() || useless < selection.filters.size()) return {};
    return matchesWaitsOnly(findings.onlyInWaves.front(), tables.front(), asker);
}

}  // namespace

FilterNotes notesOf(const TraceSelection& selection, const FilterFindings& findings,
                    std::span<const std::string> tables, const FilterAsker& asker) {
    FilterNotes notes;
    if (selection.filters.empty()) return notes;
    notes.refusal = refusalOf(selection, findings, tables, asker);
    if (!notes.refusal.empty()) return notes;
    for (const std::string& filter : findings.unmatched)
        notes.warnings.push_back(matchesNothing(filter, asker) + asker.hint(filter));
    for (const std::string& filter : findings.onlyInWaves)
        for (const std::string& table : tables)
            notes.warnings.push_back(matchesWaitsOnly(filter, table, asker));
    return notes;
}

}  // namespace sme
