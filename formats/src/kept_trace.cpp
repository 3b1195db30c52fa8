#include "formats/kept_trace.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sme {
namespace {

constexpr std::uint64_t kChanging = 512;  // bytes at the front that a format may write again
constexpr std::uint64_t kLooked = 4096;   // bytes in front of the end

/// A hash of the last bytes in front of `length`; 0 where there are none, or nobody may read them.
std::uint64_t endingOf(const std::string& path, std::uint64_t length) {
    const std::uint64_t from = std::max(kChanging, length - std::min(length, kLooked));
    if (length <= from) return 0;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    std::vector<char> bytes(length - from);
    const ssize_t size = pread(file, bytes.data(), bytes.size(), static_cast<off_t>(from));
    close(file);
    return size == static_cast<ssize_t>(bytes.size()) ? XXH3_64bits(bytes.data(), bytes.size()) : 0;
}

/// Whether it holds what it held then, and more perhaps.
bool hasSameStart(const KeptTrace& trace, const std::string& path, std::uint64_t size) {
    return size >= trace.file.length && endingOf(path, trace.file.length) == trace.ending;
}

}  // namespace

KeptTrace keptTrace(const std::string& path, const FileSink& sink, std::uint64_t shown,
                    TraceState writer) {
    struct stat file {};
    if (fstat(sink.descriptor(), &file) != 0 || !S_ISREG(file.st_mode)) return {};
    const std::uint64_t length =
        writer.length.value_or(static_cast<std::uint64_t>(lseek(sink.descriptor(), 0, SEEK_CUR)));
    return {
        {path, file.st_dev, file.st_ino, length}, shown, endingOf(path, length), std::move(writer)};
}

const KeptTrace* keptTraceAt(std::span<const KeptTrace> traces, const std::string& path) {
    struct stat now {};
    const bool isFile = path != "-" && stat(path.c_str(), &now) == 0 && S_ISREG(now.st_mode);
    for (const KeptTrace& trace : traces) {
        if (trace.file.path == path) return &trace;
        // another file may have got the number of one that is gone
        if (isFile && trace.file.device == now.st_dev && trace.file.inode == now.st_ino
            && hasSameStart(trace, path, static_cast<std::uint64_t>(now.st_size)))
            return &trace;
    }
    return nullptr;
}

NotContinued whyNotContinued(const KeptTrace& trace, const std::string& path, std::uint64_t shown) {
    constexpr const char* kHint = "; under another name it starts where the run goes on";
    const std::string what = "the trace '" + path + "' ";
    if (trace.shown != shown)
        return {what
                    + "showed other values or times when the state was kept; give it the options "
                      "that it had, or another name",
                true};
    if (path == "-") return {};
    struct stat now {};
    const bool isThere = stat(path.c_str(), &now) == 0;
    if (!isThere) return {what + "is gone since the state was kept" + kHint};
    if (!S_ISREG(now.st_mode)) return {what + "was a file when the state was kept" + kHint};
    const auto size = static_cast<std::uint64_t>(now.st_size);
    if (size < trace.file.length)
        return {what + "is shorter than when the state was kept: " + std::to_string(size) + " of "
                + std::to_string(trace.file.length) + " bytes" + kHint};
    if (!hasSameStart(trace, path, size))
        return {what + "is not the one that was written when the state was kept" + kHint};
    return {};
}

}  // namespace sme
