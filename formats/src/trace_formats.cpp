#include "formats/trace_writer.h"

#include "formats/opened_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sme {
namespace {

constexpr std::uint64_t kElementsOfWaves = 64;  // docs/waveforms.md

constexpr TraceFormat kFormats[] = {
    {".csv", makeCsvWriter},
    {".vcd", makeVcdWriter, kElementsOfWaves, false, Viewer::EnumNames},
#ifdef SME_FST
    {".fst", makeFstWriter, kElementsOfWaves, true, Viewer::EnumNumbers, true},
#endif
};

/// ".csv", ".csv or .vcd", as messages list them.
std::string suffixesOf(std::span<const TraceFormat> formats) {
    std::string text;
    for (std::size_t i = 0; i < formats.size(); ++i) {
        const bool isLast = i + 1 == formats.size();
        text.append(i == 0 ? "" : isLast ? " or " : ", ").append(formats[i].suffix);
    }
    return text;
}

bool hasPlaces(const std::string& path) {
    struct stat file {};
    if (stat(path.c_str(), &file) != 0) return true;  // one that comes to be
    // what others write to, too, only grows
    if (S_ISREG(file.st_mode)) return !streamNamedBy(path);
    if (!S_ISCHR(file.st_mode)) return !S_ISFIFO(file.st_mode);
    const int device = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (device < 0) return true;  // who writes says why not
    const bool has = lseek(device, 0, SEEK_CUR) >= 0;
    close(device);
    return has;
}

}  // namespace

std::span<const TraceFormat> traceFormats() { return kFormats; }

const TraceFormat* formatOf(std::string_view path, bool needsEnding,
                            std::span<const TraceFormat> formats) {
    for (const TraceFormat& format : formats)
        if (path.ends_with(format.suffix)) return &format;
    return needsEnding || formats.empty() ? nullptr : &formats.front();
}

std::string whyNotThere(const std::string& path, const TraceFormat& format) {
    if (!format.needsPlaces || hasPlaces(path)) return {};
    return "cannot write a trace to '" + path + "': " + std::string(format.suffix)
           + " is not written from front to back, as a pipe or a standard stream needs it; .vcd is";
}

std::string traceNames(std::span<const TraceFormat> formats) {
    return "a file name that ends in " + suffixesOf(formats)
           + ", '-' for standard output, or a pipe";
}

std::string whyNoFormat(std::string_view path, std::span<const TraceFormat> formats) {
    return "cannot write a trace to '" + std::string(path) + "': there are traces that end in "
           + suffixesOf(formats);
}

}  // namespace sme
