#include "source/read_text.h"

#include <fstream>

namespace smec {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMaxFileSize = std::uintmax_t{256} << 20;

ReadText failed(std::string_view why) { return {{}, why}; }

}  // namespace

ReadText readText(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) return failed("no such file");
    if (fs::is_directory(status)) return failed("it is a directory");
    if (fs::is_regular_file(status) && fs::file_size(path, error) > kMaxFileSize)
        return failed("it is larger than 256 MiB");
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return failed("permission denied");
    std::string text;
    char buffer[1 << 16];
    while (stream.read(buffer, sizeof buffer) || stream.gcount() > 0) {
        text.append(buffer, static_cast<std::size_t>(stream.gcount()));
        if (text.size() > kMaxFileSize) return failed("it is larger than 256 MiB");
    }
    if (stream.bad()) return failed("reading failed");
    return {std::move(text), {}};
}

}  // namespace smec
