#include "formats/kept_trace.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sme {
namespace {

constexpr std::uint64_t kHeader = 330;   // of FST, which is written again
constexpr std::uint64_t kLooked = 4096;  // bytes in front of the end

/// A hash of the last bytes in front of a length, without those that a format writes again; nothing
/// where they cannot be read.
std::optional<std::uint64_t> endingOf(const std::string& path, std::uint64_t length,
                                      const TraceState& writer) {
    const std::uint64_t first = writer.length ? kHeader : 0;
    const std::uint64_t from = std::max(first, length - std::min(length, kLooked));
    if (length <= from) return 0;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return std::nullopt;
    std::vector<char> bytes(length - from);
    const ssize_t size = pread(file, bytes.data(), bytes.size(), static_cast<off_t>(from));
    close(file);
    if (size != static_cast<ssize_t>(bytes.size())) return std::nullopt;
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::string_view lastOf(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

/// Of the file that a trace was in.
std::string whyNotAsItWas(const KeptTrace& trace, const std::string& path, std::uint64_t size) {
    constexpr const char* kHint = "; under another name it starts where the run goes on";
    if (size < trace.length)
        return "is shorter than when the state was kept: " + std::to_string(size) + " of "
               + std::to_string(trace.length) + " bytes" + kHint;
    const std::optional<std::uint64_t> ending = endingOf(path, trace.length, trace.writer);
    if (!ending) return std::string("cannot be read, to see whether it is as it was") + kHint;
    if (*ending != trace.ending)
        return std::string("is not the one that was written when the state was kept") + kHint;
    return {};
}

/// Of a file that is there and none of those of the traces.
std::string whyNotNew(std::span<const KeptTrace> traces, const std::string& path,
                      const struct stat& file) {
    for (const KeptTrace& trace : traces) {
        if (trace.path == path)
            return "is another file than the one that was written when the state was kept; remove "
                   "it, or give another name";
        if (trace.inode == file.st_ino && trace.length > 0)
            return "is the trace '" + trace.path
                   + "' of the run whose state was kept, under another name; give it that name, or "
                     "one of a new file";
    }
    if (file.st_size == 0) return {};
    return "holds " + std::to_string(file.st_size)
           + " bytes, and the state knows nothing of it: --resume cuts only traces that go on; "
             "remove it, or give another name";
}

}  // namespace

KeptTrace keptTrace(const std::string& path, const FileSink& sink, std::uint64_t shown,
                    TraceState writer) {
    struct stat file {};
    if (!sink.isFile() || fstat(sink.descriptor(), &file) != 0) return {};
    const std::uint64_t length =
        writer.length.value_or(static_cast<std::uint64_t>(lseek(sink.descriptor(), 0, SEEK_CUR)));
    // where nobody may read it, no run goes on in it
    const std::uint64_t ending = endingOf(path, length, writer).value_or(0);
    return {path, file.st_ino, length, shown, ending, std::move(writer)};
}

const KeptTrace* keptTraceAt(std::span<const KeptTrace> traces, const std::string& path) {
    struct stat now {};
    const bool isFile = path != "-" && stat(path.c_str(), &now) == 0 && S_ISREG(now.st_mode);
    for (const KeptTrace& trace : traces) {
        if (path == "-" ? trace.path == path
                        : isFile && trace.inode == now.st_ino && trace.path != "-"
                              && lastOf(trace.path) == lastOf(path))
            return &trace;
    }
    return nullptr;
}

NotContinued whyNotContinued(std::span<const KeptTrace> traces, const std::string& path,
                             std::uint64_t shown) {
    const std::string what = "the trace '" + path + "' ";
    const KeptTrace* const trace = keptTraceAt(traces, path);
    if (trace && trace->shown != shown)
        return {what
                    + "showed other values or times when the state was kept; give it the options "
                      "that it had, or another name",
                true};
    if (path == "-") return {};
    struct stat now {};
    const bool isThere = stat(path.c_str(), &now) == 0;
    std::string why;
    if (trace)
        why = whyNotAsItWas(*trace, path, static_cast<std::uint64_t>(now.st_size));
    else if (isThere && S_ISREG(now.st_mode))
        why = whyNotNew(traces, path, now);
    else if (std::ranges::any_of(traces, [&](const KeptTrace& each) { return each.path == path; }))
        why = std::string(isThere ? "was a file when the state was kept"
                                  : "is gone since the state was kept")
              + "; under another name it starts where the run goes on";
    return {why.empty() ? why : what + why};
}

}  // namespace sme
