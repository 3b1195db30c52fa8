#include "driver/system/files.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>
#include <xxhash.h>

namespace smec::driver {
namespace fs = std::filesystem;

std::optional<std::string> readFile(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return std::nullopt;  // opening a pipe would wait
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    std::string content(static_cast<std::size_t>(fs::file_size(path, error)), '\0');
    in.read(content.data(), static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<std::size_t>(in.gcount()));
    return content;
}

bool writeIfChanged(const fs::path& path, std::string_view content, const InputFiles& inputs) {
    if (const auto old = readFile(path); old && *old == content) return false;
    writeOutput(path, content, inputs);
    return true;
}

namespace {

[[noreturn]] void throwFileError(const char* what, const fs::path& path) {
    throw FileError{fmt::format("cannot {} '{}': {}", what, path.string(), std::strerror(errno))};
}

}  // namespace

void makeDirectories(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) {
        errno = error.value();
        throwFileError("create folder", path);
    }
}

std::string contentHash(std::string_view content) {
    return fmt::format("{:016x}", XXH3_64bits(content.data(), content.size()));
}

FileLock::FileLock(const fs::path& path)
    : fd_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    if (fd_ < 0) throwFileError("open", path);
    while (flock(fd_, LOCK_EX) != 0) {
        if (errno != EINTR) throwFileError("lock", path);
    }
}

FileLock::~FileLock() { close(fd_); }

}  // namespace smec::driver
