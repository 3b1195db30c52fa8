#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formats/file_sink.h"
#include "formats/trace_files.h"
#include "interp/files.h"
#include "interp/model_types.h"

namespace smec::interp {

/// The scalars that a selection names, in natural order of their names.
struct TraceColumns {
    std::unique_ptr<ModelTypes> types;  ///< those that the signals point to
    std::vector<sme::TraceSignal> signals;
    std::vector<Part> parts;
};
TraceColumns selectColumns(const hir::Design& design, const NameTable& names,
                           const sme::TraceSelection& selection);

/// The format of --trace PATH; null when there is none for it.
const sme::TraceFormat* traceFormatOf(const std::string& path);

/// The traces of a run: the files, and the values that they show.
class Traces {
public:
    Traces(const hir::Design& design, TraceColumns columns, const sme::TraceSelection& selection);

    /// Creates a file and writes what comes before its rows. `output` is standard output, whose
    /// lines of a cycle follow the row. Throws RunError.
    void open(const std::string& path, Output& output);
    Sample& sample() { return sample_; }
    /// What is read in this cycle.
    void row(const Simulation& simulation);
    /// Whether a file cannot be written.
    bool isBroken() const;
    /// Writes out what is buffered. Throws RunError.
    void close();

private:
    struct Sink {
        std::string path;
        std::unique_ptr<sme::FileSink> file;     ///< none: standard output
        std::unique_ptr<sme::TextSink> printed;  ///< none: a file
    };

    std::unique_ptr<ModelTypes> types_;
    Sample sample_;
    std::vector<Sink> sinks_;
    sme::TraceFiles files_;
    std::vector<std::size_t> sizes_;  ///< of the values of a row, in bytes
    std::vector<std::byte> bytes_;    ///< of a row; members to keep their memory
    std::vector<const std::byte*> values_;
};

}  // namespace smec::interp
