#include "output/output_file.h"
#include "trace/trace_writer.h"

namespace sme {
namespace {

constexpr std::uint64_t kElementsOfWaves = 64;  // docs/waveforms.md

constexpr TraceFormat kFormats[] = {
    {".csv", makeCsvWriter},
    {".vcd", makeVcdWriter, kElementsOfWaves},
};

}  // namespace

std::span<const TraceFormat> traceFormats() { return kFormats; }

const TraceFormat* formatOf(std::string_view path, std::span<const TraceFormat> formats) {
    for (const TraceFormat& format : formats)
        if (path.ends_with(format.suffix)) return &format;
    const bool isFree = path == "-" || isStream(std::string(path));
    return isFree && !formats.empty() ? &formats.front() : nullptr;
}

std::string suffixesOf(std::span<const TraceFormat> formats) {
    std::string text;
    for (std::size_t i = 0; i < formats.size(); ++i) {
        const bool isLast = i + 1 == formats.size();
        text.append(i == 0 ? "" : isLast ? " or " : ", ").append(formats[i].suffix);
    }
    return text;
}

}  // namespace sme
