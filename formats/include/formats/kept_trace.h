#pragma once

// Traces that go on with --resume: what a checkpoint notes about each, and whether the file is still
// the one that it means.

#include <cstdint>
#include <span>
#include <string>

#include "formats/file_sink.h"
#include "formats/trace_writer.h"

namespace sme {

/// How far a run had written an output when its state was kept.
struct WrittenOutput {
    std::string path;  ///< as the command line has it; "-" is standard output
    std::uint64_t device = 0, inode = 0;
    std::uint64_t length = 0;  ///< in bytes
    bool operator==(const WrittenOutput&) const = default;
};

/// A trace as it was when the state of its run was kept.
struct KeptTrace {
    WrittenOutput file;        ///< all but the path are 0 for standard output
    std::uint64_t shown = 0;   ///< what it shows: TraceFiles::hashOf()
    std::uint64_t ending = 0;  ///< hash of the last bytes in front of its length
    TraceState writer;
    bool operator==(const KeptTrace&) const = default;
};

/// Notes how much a file has; it has been synced before. A pipe or device is no file that could go
/// on: its path is empty.
KeptTrace keptTrace(const std::string& path, const FileSink& sink, std::uint64_t shown,
                    TraceState writer);

/// The trace that goes on in `path`: one under this name, or in this very file. Null: none.
const KeptTrace* keptTraceAt(std::span<const KeptTrace> traces, const std::string& path);

/// Why a trace cannot go on at the path where keptTraceAt() found it; empty: it can.
struct NotContinued {
    std::string why;
    bool isUsage = false;  ///< the options are wrong, not the file
};
NotContinued whyNotContinued(const KeptTrace& trace, const std::string& path, std::uint64_t shown);

}  // namespace sme
