#pragma once

// Traces that go on with --resume: what a checkpoint notes about each, and whether the file is still
// the one that it means.

#include <cstdint>
#include <span>
#include <string>

#include "formats/file_sink.h"
#include "formats/trace_writer.h"

namespace sme {

/// A trace as it was when the state of its run was kept.
struct KeptTrace {
    std::string path;  ///< as the command line has it; "-" is standard output, and the rest is 0
    std::uint64_t inode = 0;   ///< not the device: its number may be another one after a restart
    std::uint64_t length = 0;  ///< in bytes
    std::uint64_t shown = 0;   ///< what it shows: TraceFiles::hashOf()
    std::uint64_t ending = 0;  ///< hash of the last bytes in front of its length
    TraceState writer;
    bool operator==(const KeptTrace&) const = default;
};

/// Notes how much a file has; it has been synced before. A pipe, a device or an open descriptor that
/// has a name is no file that could go on: its path is empty.
KeptTrace keptTrace(const std::string& path, const FileSink& sink, std::uint64_t shown,
                    TraceState writer);

/// The trace that goes on in `path`: one of standard output there, or of this very file under a name
/// that ends alike. Null: none.
const KeptTrace* keptTraceAt(std::span<const KeptTrace> traces, const std::string& path);

/// Why a run that goes on from a state with these traces may not write to `path`; empty: it may. A
/// file that holds something is cut only where one of the traces goes on in it.
struct NotContinued {
    std::string why;
    bool isUsage = false;  ///< the options are wrong, not the file
};
NotContinued whyNotContinued(std::span<const KeptTrace> traces, const std::string& path,
                             std::uint64_t shown);

}  // namespace sme
