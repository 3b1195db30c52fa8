#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/output.h"
#include "trace/sampler.h"

namespace sme {

/// One format of traces. Thread 0 calls it, while the others run.
class TraceWriter {
public:
    virtual ~TraceWriter() = default;
    /// Before the first row: the names of the values, in the order of the sampler's columns.
    virtual void begin(std::span<const std::string> names) = 0;
    /// What is read in `cycle`.
    virtual void row(const Sampler& values, std::uint64_t cycle) = 0;
    /// After the last row.
    virtual void end() {}
};

/// How a format is known and made. The sink outlives the writer, which asks nobody whether writing
/// goes well: its owner looks at the sink.
struct TraceFormat {
    std::string_view suffix;  ///< of file names, with the dot
    std::unique_ptr<TraceWriter> (*make)(TextSink& sink);
};

std::unique_ptr<TraceWriter> makeCsvWriter(TextSink& sink);

/// All that --trace knows; the first one is that of standard output and pipes.
std::span<const TraceFormat> traceFormats();

/// The format that a path asks for by its ending; null when there is none for it.
const TraceFormat* formatOf(std::string_view path, std::span<const TraceFormat> formats);

/// ".csv", ".csv or .vcd", as messages list them.
std::string suffixesOf(std::span<const TraceFormat> formats);

}  // namespace sme
