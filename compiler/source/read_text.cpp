#include "source/read_text.h"

#include <cerrno>
#include <fstream>

#include <sys/stat.h>

namespace smec {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMaxFileSize = std::uintmax_t{256} << 20;

constexpr std::string_view kTooLarge = "it is larger than 256 MiB";

ReadText failed(std::string_view why) { return {{}, why}; }

/// Why nothing is known about it.
std::string_view whyAbsent(const fs::path& path, int reason) {
    struct stat link {};
    switch (reason) {
    case ELOOP: return "its symbolic links form a loop";
    case EACCES: return "permission denied";
    case ENAMETOOLONG: return "its name is too long";
    case ENOTDIR: return "a part of its path is no directory";
    default: break;
    }
    return lstat(path.c_str(), &link) == 0 ? "it is a symbolic link to nothing" : kNoSuchFile;
}

std::string_view nameOf(mode_t mode) {
    if (S_ISDIR(mode)) return "it is a directory";
    if (S_ISFIFO(mode)) return "it is a pipe";
    if (S_ISSOCK(mode)) return "it is a socket";
    return S_ISBLK(mode) ? "it is a disk" : "it is a device";
}

}  // namespace

std::string_view whyNoFile(const fs::path& path) {
    struct stat file {};
    if (stat(path.c_str(), &file) != 0) return whyAbsent(path, errno);
    return S_ISREG(file.st_mode) ? std::string_view() : nameOf(file.st_mode);
}

ReadText readText(const fs::path& path) {
    struct stat file {};
    if (stat(path.c_str(), &file) != 0) return failed(whyAbsent(path, errno));
    const bool isStream = S_ISFIFO(file.st_mode) || S_ISCHR(file.st_mode);
    if (!isStream && !S_ISREG(file.st_mode)) return failed(nameOf(file.st_mode));
    if (S_ISREG(file.st_mode) && static_cast<std::uintmax_t>(file.st_size) > kMaxFileSize)
        return failed(kTooLarge);
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return failed("permission denied");
    std::string text;
    char buffer[1 << 16];
    while (stream.read(buffer, sizeof buffer) || stream.gcount() > 0) {
        text.append(buffer, static_cast<std::size_t>(stream.gcount()));
        if (text.size() > kMaxFileSize) return failed(kTooLarge);
    }
    if (stream.bad()) return failed("reading failed");
    return {std::move(text), {}};
}

}  // namespace smec
