#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>

#include "driver/diff/trace_reader.h"
#include "source/output_file.h"
#include "source/read_text.h"

namespace smec::driver {
namespace {

namespace fs = std::filesystem;

/// Empty: it is a file, or a pipe or device that can be read like one.
std::string_view whyNotReadable(const std::string& path) {
    const fs::file_type type = fs::status(path).type();
    if (type == fs::file_type::fifo || type == fs::file_type::character) return {};
    const std::string_view why = whyNoFile(path);
    return why.empty() && access(path.c_str(), R_OK) != 0 ? "permission denied" : why;
}

}  // namespace

BadTrace::BadTrace(const std::string& path, std::size_t line, const std::string& why)
    : std::runtime_error(fmt::format("{}:{}: error: {}", path, line, why)) {}

std::uint64_t sizeOfFile(const std::string& path) {
    std::error_code error;
    const bool isFile = fs::is_regular_file(path, error);
    const std::uintmax_t size = isFile ? fs::file_size(path, error) : 0;
    return error ? 0 : size;
}

std::unique_ptr<TraceReader> openTrace(const std::string& path, std::uint64_t period) {
    const std::string_view problem = whyNotReadable(path);
    if (!problem.empty()) throw FileError{fmt::format("cannot read '{}': {}", path, problem)};
    if (path.ends_with(".vcd")) return openVcd(path, period);
    if (path.ends_with(".fst")) return openFstTrace(path, period);
    return openCsv(path);
}

}  // namespace smec::driver
