#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "formats/trace_files.h"
#include "output/file_problem.h"
#include "output/output.h"
#include "trace/sampler.h"

namespace sme {

/// The scalars that a selection names, in natural order of their names.
struct TraceColumns {
    std::vector<TraceSignal> signals;
    std::vector<Ref> refs;
};
TraceColumns selectColumns(const NameTable& names, const TraceSelection& selection);

/// The format of --trace PATH; null when there is none for it.
const TraceFormat* traceFormatOf(const std::string& path,
                                 std::span<const TraceFormat> formats = traceFormats());

/// The traces of a run: the files, and the values that they show.
class Traces {
public:
    Traces(const Engine& engine, TraceColumns columns, const TraceSelection& selection,
           std::span<const TraceFormat> formats = traceFormats());

    /// Creates a file and writes what comes before its rows. `out` is standard output, whose lines
    /// of a cycle follow the row.
    FileProblem open(const std::string& path, TextSink& out);
    Sampler& sampler() { return sampler_; }
    /// What is read in `cycle`. False when a file cannot be written.
    bool row(std::uint64_t cycle);
    /// Writes out what is buffered; the first problem of all files.
    FileProblem finish();

private:
    struct Sink {
        std::string path;
        std::unique_ptr<FileSink> own;  ///< none: standard output
        TextSink* sink;
    };

    Sampler sampler_;
    std::span<const TraceFormat> formats_;
    std::vector<Sink> sinks_;
    TraceFiles files_;
    std::vector<const std::byte*> values_;  ///< of a row; a member to keep its memory
};

}  // namespace sme
