#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/text_sink.h"
#include "formats/trace_signal.h"

namespace sme {

/// What the rows to come depend on, for a run that goes on where another one was.
struct TraceState {
    /// Of the file, as far as it stays as it is; nothing: all that was written.
    std::optional<std::uint64_t> length{};
    std::vector<std::byte> bytes{};
    bool operator==(const TraceState&) const = default;
};

/// One format of traces. One thread at a time calls it.
class TraceWriter {
public:
    virtual ~TraceWriter() = default;
    /// Before the first row.
    virtual void begin(TraceDescription description) = 0;
    /// Between two rows.
    virtual TraceState state() const = 0;
    /// In place of begin(): goes on in a file that has been cut back to what it had when a writer
    /// of the same description had this state. Throws BadState (sme/state_format.h).
    virtual void resume(TraceDescription description, const TraceState& state) = 0;
    /// What is read in `cycle`, which is larger than those of the rows before.
    virtual void row(const TraceRow& row, std::uint64_t cycle) = 0;
    /// After the last row.
    virtual void end() {}
};

/// Whether a format is one of wave viewers, and what values of enums are in it.
enum class Viewer : std::uint8_t { None, EnumNames, EnumNumbers };

/// How a format is known and made. The sink outlives the writer, which asks nobody whether writing
/// goes well: its owner looks at the sink.
struct TraceFormat {
    std::string_view suffix;  ///< of file names, with the dot
    std::unique_ptr<TraceWriter> (*make)(TextSink& sink);
    /// How many elements of an array are shown where nobody says.
    std::uint64_t elements = ~std::uint64_t{0};
    /// It is written at places and not from front to back.
    bool needsPlaces = false;
    Viewer viewer = Viewer::None;
    bool tellsSources = false;
};

std::unique_ptr<TraceWriter> makeCsvWriter(TextSink& sink);
std::unique_ptr<TraceWriter> makeVcdWriter(TextSink& sink);
std::unique_ptr<TraceWriter> makeFstWriter(TextSink& sink);  ///< where zlib and lz4 are there

/// All that --trace knows; the first one is that of standard output and pipes.
std::span<const TraceFormat> traceFormats();

/// The format that a path asks for by its ending. What has a name that needs none, a pipe or
/// standard output, has the first format. Null when there is none for it.
const TraceFormat* formatOf(std::string_view path, bool needsEnding,
                            std::span<const TraceFormat> formats = traceFormats());

/// Why the file that a path names cannot have a format: a pipe, or a terminal, where the format needs
/// places. Empty: it can.
std::string whyNotThere(const std::string& path, const TraceFormat& format);

/// "a file name that ends in .csv or .vcd, '-' for standard output, or a pipe": what --trace takes.
std::string traceNames(std::span<const TraceFormat> formats = traceFormats());

/// Why formatOf() finds nothing.
std::string whyNoFormat(std::string_view path,
                        std::span<const TraceFormat> formats = traceFormats());

}  // namespace sme
