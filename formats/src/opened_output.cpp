#include "formats/opened_output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <utility>

#include "formats/file_lock.h"

namespace sme {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr unsigned kMostLinks = 40;  // as in Linux
constexpr std::chrono::seconds kReaderComes{5};
constexpr int kLookForReaderMs = 5;
constexpr int kFlags = O_WRONLY | O_CLOEXEC | O_NOCTTY;

/// N of /dev/fd/N and the like.
std::optional<int> descriptorIn(const std::string& path) {
    const std::string own = "/proc/" + std::to_string(getpid()) + "/fd/";
    for (const std::string& start : {std::string("/dev/fd/"), std::string("/proc/self/fd/"),
                                     std::string("/proc/thread-self/fd/"), own}) {
        if (!path.starts_with(start)) continue;
        int number = 0;
        const auto [end, error] =
            std::from_chars(path.data() + start.size(), path.data() + path.size(), number);
        if (error == std::errc() && end == path.data() + path.size()) return number;
    }
    return std::nullopt;
}

bool isFifo(const std::string& path) {
    struct stat file {};
    return stat(path.c_str(), &file) == 0 && S_ISFIFO(file.st_mode);
}

/// With a reader within some seconds.
int openPipe(const std::string& path) {
    const auto end = Clock::now() + kReaderComes;
    for (;;) {
        const int file = open(path.c_str(), kFlags | O_NONBLOCK);
        if (file >= 0 || errno != ENXIO) return file;
        if (Clock::now() >= end) break;
        poll(nullptr, 0, kLookForReaderMs);
    }
    errno = ETIMEDOUT;
    return -1;
}

int openOrMake(const std::string& path) {
    const int file = open(path.c_str(), kFlags | O_NONBLOCK);
    if (file >= 0 || errno != ENOENT) return file;
    return open(path.c_str(), kFlags | O_NONBLOCK | O_CREAT, 0666);
}

std::unique_ptr<FileSink> failed(int why) {
    auto sink = std::make_unique<FileSink>(-1, FileSink::Owned{});
    sink->fail(why);
    return sink;
}

/// Where there is no memory for it the file is closed.
std::unique_ptr<FileSink> sinkOf(Descriptor file, FileSink::Owned owned) {
    if (file.number() < 0) return failed(errno);
    auto sink = std::make_unique<FileSink>(file.number(), owned);
    file.release();
    return sink;
}

/// A copy through which text follows what is there, also where others write to the file.
std::unique_ptr<FileSink> copyOf(int descriptor) {
    return sinkOf(Descriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 3)), {});
}

/// What has been opened without waiting; its writes wait for a slow reader. errno, or 0.
int makeReady(int file, FileSink::Owned& owned) {
    struct stat status {};
    if (fstat(file, &status) != 0) return errno;
    if (fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK) != 0) return errno;
    if (!S_ISREG(status.st_mode)) return 0;
    const FileLock lock = lockFile(file);
    owned = {true, lock == FileLock::Held};
    return lock == FileLock::Taken ? EBUSY : 0;
}

}  // namespace

std::string behindLinks(const std::string& path) {
    std::error_code error;
    fs::path at = path;
    for (unsigned links = 0; links < kMostLinks; ++links) {
        if (!fs::is_symlink(fs::symlink_status(at, error))) break;
        at = at.parent_path() / fs::read_symlink(at, error);
    }
    return at.string();
}

std::optional<int> descriptorNamedBy(const std::string& path) {
    std::error_code error;
    fs::path at = fs::absolute(path, error);
    for (unsigned links = 0; links < kMostLinks; ++links) {
        if (const auto number = descriptorIn(at.lexically_normal().string())) return number;
        if (!fs::is_symlink(fs::symlink_status(at, error))) break;
        at = at.parent_path() / fs::read_symlink(at, error);
    }
    return std::nullopt;
}

std::optional<int> streamNamedBy(const std::string& path) {
    if (const auto number = descriptorNamedBy(path)) return number;
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO})
        if (isOpenedAt(stream, path.c_str())) return stream;
    return std::nullopt;
}

std::unique_ptr<FileSink> openToWrite(const std::string& path) {
    if (const auto number = descriptorNamedBy(path)) return copyOf(*number);
    struct stat named {};
    const bool isFile = stat(path.c_str(), &named) == 0 && S_ISREG(named.st_mode);
    if (isFile)
        if (const auto number = streamNamedBy(path)) return copyOf(*number);
    Descriptor file(isFifo(path) ? openPipe(path) : openOrMake(path));
    if (file.number() < 0) return failed(errno);
    FileSink::Owned owned;
    if (const int why = makeReady(file.number(), owned)) return failed(why);
    return sinkOf(std::move(file), owned);
}

std::string reasonOf(int problem) {
    if (problem == EBUSY) return "it is being written already, by this program or another one";
    if (problem == ENODATA) return "nobody has written to this pipe for 5 seconds";
    if (problem == ETIMEDOUT) return "nobody has opened this pipe to read it for 5 seconds";
    return std::strerror(problem);
}

}  // namespace sme
