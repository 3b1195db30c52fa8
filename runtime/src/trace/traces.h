#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/file_sink.h"
#include "formats/filter_notes.h"
#include "formats/kept_trace.h"
#include "formats/trace_files.h"
#include "output/file_problem.h"
#include "trace/encoder.h"
#include "trace/traced_memory.h"

namespace sme {

/// The scalars that a selection names, in natural order of their names.
struct TraceColumns {
    std::vector<TraceSignal> signals;
    std::vector<Ref> refs;
    FilterFindings findings{};
};
/// What is to be said of the filters of a selection before files are opened. `option`: how who asks
/// calls a filter.
FilterNotes notesOf(const NameTable& names, const TraceSelection& selection,
                    const TraceColumns& columns, const std::vector<std::string>& paths,
                    std::string_view option);

TraceColumns selectColumns(const NameTable& names, const TraceSelection& selection);

/// The format of --trace PATH; null when there is none for it.
const TraceFormat* traceFormatOf(const std::string& path,
                                 std::span<const TraceFormat> formats = traceFormats());

/// Why traces cannot go on where they were when the state of their run was kept; nothing has been
/// written then.
FileProblem whyNotContinued(const Model& model, const std::vector<std::string>& paths,
                            const TraceColumns& columns, const TraceSelection& selection,
                            std::span<const KeptTrace> kept);

/// The traces of a run: the files, and the values that they show.
class Traces {
public:
    Traces(const Engine& engine, TraceColumns columns, const TraceSelection& selection,
           std::span<const TraceFormat> formats = traceFormats());

    /// Opens them all, each of which nobody else may write meanwhile, and then makes new ones of them
    /// that have what comes before rows; or, where one is one of `kept`, cuts it back and goes on
    /// there. `out` is standard output, whose lines of a cycle follow the row.
    FileProblem open(const std::vector<std::string>& paths, TextSink& out,
                     std::span<const KeptTrace> kept = {});
    /// How far they are written, all of it synced; nothing where one cannot be written.
    std::optional<std::vector<KeptTrace>> keptTraces();
    bool needsPause() const { return memory_.needsPause(); }
    /// The first cycle from `cycle` on of which there will be a row; ~0: none.
    std::uint64_t nextWanted(std::uint64_t cycle) const {
        return files_.nextWanted(std::max(cycle, next_));
    }
    /// What will have changed; between two cycles, before the one that row() will be asked for.
    void keep(std::uint64_t cycle);
    /// What is read in `cycle`, unless there is a row for it or a later one: a run that has gone back
    /// comes by once more. False when a file cannot be written.
    bool row(std::uint64_t cycle);
    /// Whether rows can be taken back: they are not written before processes print.
    bool bearsUndo() const { return !encoder_.isImmediate(); }
    /// Rows from now on may be taken back.
    void goAhead();
    /// More rows wait for that than there is memory for: they have to be taken back.
    bool isTooMuch() const { return encoder_.isTooMuch(); }
    void confirm() { encoder_.let(); }
    /// They are. The run goes on from the cycle after goAhead().
    void undo();
    /// Writes out what is buffered.
    void flush();
    /// Ends the files and writes them out; the first problem of all files.
    FileProblem finish();

private:
    struct Sink {
        std::string path;
        const TraceFormat* format;
        std::unique_ptr<FileSink> own;  ///< none: standard output
        TextSink* sink;
    };
    FileProblem openOne(const std::string& path, TextSink& out);
    void begin(const Sink& sink, const KeptTrace* before);
    bool wants(std::uint64_t cycle) const { return cycle >= next_ && files_.wants(cycle); }
    bool writeAlong() const;
    void writeSaveFile(const Sink& sink) const;

    const Model& model_;
    TracedMemory memory_;
    std::span<const TraceFormat> formats_;
    std::vector<Sink> sinks_;
    TraceFiles files_;
    Encoder encoder_;
    std::uint64_t next_ = 0;      ///< the first cycle without a row
    std::uint64_t keptNext_ = 0;  ///< next_ at goAhead()
};

}  // namespace sme
