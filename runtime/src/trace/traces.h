#pragma once

#include <cstdint>
#include <memory>
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
};

/// The scalars that a selection names, in natural order of their names.
struct TraceColumns {
    std::vector<std::string> names;
    std::vector<Ref> refs;
};
TraceColumns selectColumns(const NameTable& names, const TraceSelection& selection);

/// The traces of a run: files of any formats, which all show the same values.
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
    };

    Sampler sampler_;
    std::vector<std::string> names_;
    std::uint64_t start_;
    std::uint64_t stop_;
    std::span<const TraceFormat> formats_;
    std::vector<File> files_;
};

}  // namespace sme
