#include "driver/files.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace smec::driver {
namespace fs = std::filesystem;

std::optional<std::string> readFile(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::error_code error;
    if (!in || !fs::is_regular_file(path, error)) return std::nullopt;
    std::string content(static_cast<std::size_t>(fs::file_size(path, error)), '\0');
    in.read(content.data(), static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<std::size_t>(in.gcount()));
    return content;
}

namespace {

[[noreturn]] void throwFileError(const char* what, const fs::path& path) {
    throw FileError{fmt::format("cannot {} '{}': {}", what, path.string(), std::strerror(errno))};
}

fs::path temporaryBeside(const fs::path& path) {
    return path.parent_path() / fmt::format(".{}.{}.tmp", path.filename().string(), getpid());
}

void replaceBy(const fs::path& temporary, const fs::path& path) {
    if (std::rename(temporary.c_str(), path.c_str()) == 0) return;
    const int reason = errno;
    unlink(temporary.c_str());
    errno = reason;
    throwFileError("write", path);
}

}  // namespace

bool writeIfChanged(const fs::path& path, std::string_view content) {
    if (const auto old = readFile(path); old && *old == content) return false;
    const fs::path temporary = temporaryBeside(path);
    {
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        out.write(content.data(), static_cast<std::streamsize>(content.size()));
        out.flush();
        if (!out) {
            const int reason = errno;
            unlink(temporary.c_str());
            errno = reason;
            throwFileError("write", path);
        }
    }
    replaceBy(temporary, path);
    return true;
}

namespace {

/// A file under construction beside the one it is to replace; removed unless it gets there.
class Replacement {
public:
    explicit Replacement(const fs::path& path)
        : path_(path),
          temporary_(temporaryBeside(path)),
          fd_(open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600)) {
        if (fd_ < 0) throwFileError("write", temporary_);
    }
    ~Replacement() {
        if (fd_ >= 0) close(fd_);
        if (!temporary_.empty()) unlink(temporary_.c_str());
    }
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;

    void write(std::string_view content) {
        while (!content.empty()) {
            const ssize_t written = ::write(fd_, content.data(), content.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) throwFileError("write", temporary_);
            content.remove_prefix(static_cast<std::size_t>(written));
        }
    }

    /// Gives it the owner and the permissions of the old file and puts it in its place.
    void finish(const struct stat& old) {
        if (fchown(fd_, old.st_uid, old.st_gid) != 0) errno = 0;  // only a privileged user can
        if (fchmod(fd_, old.st_mode & 07777) != 0 || fsync(fd_) != 0)
            throwFileError("write", temporary_);
        if (std::rename(temporary_.c_str(), path_.c_str()) != 0) throwFileError("write", path_);
        temporary_.clear();
    }

private:
    fs::path path_;
    fs::path temporary_;
    int fd_;
};

}  // namespace

void replaceFile(const fs::path& path, std::string_view content) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    struct stat old {};
    if (error) {
        errno = error.value();
        throwFileError("write", path);
    }
    if (stat(real.c_str(), &old) != 0 || access(real.c_str(), W_OK) != 0)
        throwFileError("write", path);
    if (!S_ISREG(old.st_mode)) {
        errno = EINVAL;
        throwFileError("replace", path);
    }
    Replacement replacement(real);
    replacement.write(content);
    replacement.finish(old);
}

void copyProgram(const fs::path& from, const fs::path& to) {
    std::error_code error;
    if (fs::is_directory(to, error)) {
        errno = EISDIR;
        throwFileError("write", to);
    }
    const fs::path temporary = temporaryBeside(to);
    fs::copy_file(from, temporary, fs::copy_options::overwrite_existing, error);
    if (error) {
        unlink(temporary.c_str());
        errno = error.value();
        throwFileError("write", to);
    }
    replaceBy(temporary, to);
}

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
