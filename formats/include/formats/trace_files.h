#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formats/trace_selection.h"
#include "formats/trace_writer.h"

namespace sme {

/// The traces of a run: any number, of any formats, which all show the same values, but for the
/// elements of large arrays.
class TraceFiles {
public:
    /// `design`: the top network.
    TraceFiles(std::string design, std::vector<TraceSignal> signals,
               const TraceSelection& selection);

    /// Writes what comes before the rows. The sink outlives this.
    void add(const TraceFormat& format, TextSink& sink);
    /// Whether a cycle is one of those that are traced.
    bool wants(std::uint64_t cycle) const;
    /// What is read in such a cycle: a value for each signal.
    void row(TraceRow values, std::uint64_t cycle);
    /// Writes what comes after the rows.
    void end();

private:
    struct File {
        std::unique_ptr<TraceWriter> writer;
        std::vector<std::size_t> columns;  ///< which signals it shows
    };
    bool isShown(const TraceSignal& signal, const TraceFormat& format) const;

    TraceDescription description_;
    TraceSelection selection_;
    std::vector<File> files_;
    std::vector<const std::byte*> values_;  ///< of a row; a member to keep its memory
};

}  // namespace sme
