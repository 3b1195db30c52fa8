#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>

#include "driver/diff/trace_reader.h"
#include "driver/system/process.h"
#include "driver/system/scratch_folder.h"
#include "source/output_file.h"
#include "source/read_text.h"

namespace smec::driver {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostErrors = std::size_t{1} << 16;

/// Empty: it is a file, or a pipe or device that can be read like one.
std::string_view whyNotReadable(const std::string& path) {
    const fs::file_type type = fs::status(path).type();
    if (type == fs::file_type::fifo || type == fs::file_type::character) return {};
    const std::string_view why = whyNoFile(path);
    return why.empty() && access(path.c_str(), R_OK) != 0 ? "permission denied" : why;
}

/// An FST file, made a dump in a folder that goes with the reader.
class FstTraceReader final : public TraceReader {
public:
    FstTraceReader(const std::string& path, std::uint64_t period) : folder_("smec-diff") {
        const std::string dump = (folder_.path() / "trace.vcd").string();
        if (findProgram("fst2vcd").empty())
            throw FileError{fmt::format("'{}' needs the program 'fst2vcd' to be read (in Debian's "
                                        "package gtkwave)",
                                        path)};
        const ProcessResult made =
            runProcessApart({"fst2vcd", "-e", "-f", path, "-o", dump}, kMostErrors);
        if (made.status != 0)
            throw BadTrace(fmt::format("{}: error: fst2vcd cannot read it", path));
        dump_ = openVcd(dump, path, period);
        signals_ = dump_->signals();
        for (TracedSignal& signal : signals_)
            if (signal.spelling == Spelling::Real) signal.spelling = Spelling::ShortReal;
    }

    bool next() override {
        const bool isThere = dump_->next();
        cycle_ = dump_->cycle();
        changed_ = dump_->changed();
        values_.resize(signals_.size());
        for (const std::size_t signal : changed_)
            values_[signal] = dump_->value(signal);
        end_ = dump_->end();
        return isThere;
    }

private:
    ScratchFolder folder_;
    std::unique_ptr<TraceReader> dump_;
};

}  // namespace

BadTrace::BadTrace(const std::string& path, std::size_t line, const std::string& why)
    : std::runtime_error(fmt::format("{}:{}: error: {}", path, line, why)) {}

std::unique_ptr<TraceReader> openTrace(const std::string& path, std::uint64_t period) {
    const std::string_view problem = whyNotReadable(path);
    if (!problem.empty()) throw FileError{fmt::format("cannot read '{}': {}", path, problem)};
    if (path.ends_with(".vcd")) return openVcd(path, path, period);
    if (path.ends_with(".fst")) return std::make_unique<FstTraceReader>(path, period);
    return openCsv(path);
}

}  // namespace smec::driver
