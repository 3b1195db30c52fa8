#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/file_sink.h"
#include "formats/filter_notes.h"
#include "formats/kept_trace.h"
#include "formats/trace_files.h"
#include "interp/files.h"
#include "interp/model_types.h"

namespace smec::interp {

/// Where a process waits.
struct WaitSignal {
    std::size_t signal;
    std::uint32_t process;
};

/// The scalars that a selection names, in natural order of their names.
struct TraceColumns {
    std::unique_ptr<ModelTypes> types;  ///< those that the signals point to
    std::vector<sme::TraceSignal> signals;
    std::vector<Part> parts;
    std::vector<std::size_t> partSignals;  ///< part i is signal partSignals[i]
    std::vector<WaitSignal> waits;
    sme::FilterFindings findings{};
};
TraceColumns selectColumns(const hir::Design& design, const SourceManager& sources,
                           const NameTable& names, const sme::TraceSelection& selection);

/// What is to be said of the filters of a selection before files are opened. `option`: how who asks
/// calls a filter.
sme::FilterNotes notesOf(const NameTable& names, const sme::TraceSelection& selection,
                         const TraceColumns& columns, const std::vector<std::string>& paths,
                         std::string_view option);

/// The format of --trace PATH; null when there is none for it.
const sme::TraceFormat* traceFormatOf(const std::string& path);

/// Refuses traces that cannot go on where they were when the state of their run was kept; nothing
/// has been written then. Throws RunError.
void checkContinued(const hir::Design& design, const std::vector<std::string>& paths,
                    const TraceColumns& columns, const sme::TraceSelection& selection,
                    std::span<const sme::KeptTrace> kept);

/// The traces of a run: the files, and the values that they show.
class Traces {
public:
    Traces(const hir::Design& design, const SourceManager& sources, TraceColumns columns,
           const sme::TraceSelection& selection);

    /// Opens them all, each of which nobody else may write meanwhile, and then makes new ones of them
    /// that have what comes before rows; or, where one is one of `kept`, cuts it back and goes on
    /// there. `output` is standard output, whose lines of a cycle follow the row. Throws RunError.
    void open(const std::vector<std::string>& paths, Output& output,
              std::span<const sme::KeptTrace> kept);
    /// How far they are written, all of it synced; nothing where one cannot be written.
    std::optional<std::vector<sme::KeptTrace>> keep();
    Sample& sample() { return sample_; }
    /// What is read in this cycle, unless there is a row for it or a later one: a run that has gone
    /// back comes by once more.
    void row(const Simulation& simulation);
    /// Whether a file cannot be written.
    bool isBroken() const;
    /// Writes out what is buffered.
    void flush();
    /// Ends the files and writes them out. Throws RunError.
    void close();

private:
    struct Sink {
        std::string path;
        const sme::TraceFormat* format;
        std::unique_ptr<sme::FileSink> file;     ///< none: standard output
        std::unique_ptr<sme::TextSink> printed;  ///< none: a file
    };
    void openOne(const std::string& path, Output& output);
    void begin(const Sink& sink, const sme::KeptTrace* before);
    std::vector<sme::TraceSource> sourcesOfInstances() const;
    void writeSaveFile(const Sink& sink) const;

    const hir::Design& design_;
    const SourceManager& sources_;
    std::unique_ptr<ModelTypes> types_;
    Sample sample_;
    std::vector<std::size_t> partSignals_;
    std::vector<WaitSignal> waits_;
    std::vector<Sink> sinks_;
    sme::TraceFiles files_;
    std::vector<std::size_t> sizes_;  ///< of the values of a row, in bytes
    std::vector<std::byte> bytes_;    ///< of a row; members to keep their memory
    std::vector<const std::byte*> values_;
    std::uint64_t next_ = 0;  ///< the first cycle without a row
};

}  // namespace smec::interp
