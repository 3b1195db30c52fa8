#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "output/file_problem.h"
#include "output/output.h"
#include "trace/sampler.h"
#include "trace/trace_writer.h"

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

/// The scalars that a selection names, in natural order of their names.
struct TraceColumns {
    std::vector<TraceSignal> signals;
    std::vector<Ref> refs;
};
TraceColumns selectColumns(const NameTable& names, const TraceSelection& selection);

/// The traces of a run: files of any formats, which all show the same values, but for the elements
/// of large arrays.
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
    struct File {
        std::string path;
        std::unique_ptr<FileSink> own;  ///< none: standard output
        TextSink* sink;
        std::unique_ptr<TraceWriter> writer;
        std::vector<std::size_t> columns;  ///< which of all it shows
    };
    bool isShown(const TraceSignal& signal, const TraceFormat& format) const;

    Sampler sampler_;
    TraceDescription description_;
    TraceSelection selection_;
    std::span<const TraceFormat> formats_;
    std::vector<File> files_;
    std::vector<const std::byte*> values_;  ///< of a row; a member to keep its memory
};

}  // namespace sme
