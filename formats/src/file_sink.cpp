#include "formats/file_sink.h"

#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "formats/file_lock.h"

namespace sme {
namespace {

constexpr std::size_t kBuffer = 64 * 1024;
constexpr std::int64_t kReadAlongMs = 100;

/// A clock of some milliseconds' grain that costs a few nanoseconds.
std::int64_t roughMs() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

}  // namespace

FileSink::FileSink(int descriptor, bool lively) : descriptor_(descriptor), lively_(lively) {}

int writeAll(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t done = ::write(descriptor, text.data(), text.size());
        if (done >= 0)
            text.remove_prefix(static_cast<std::size_t>(done));
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

FileSink::FileSink(int descriptor, Owned owned)
    : descriptor_(descriptor), owned_(true), file_(owned.isFile), locked_(owned.isLocked) {
    if (descriptor_ < 0) problem_ = errno;
}

FileSink::~FileSink() {
    flush();
    if (!owned_ || descriptor_ < 0) return;
    if (locked_) unlockFile(descriptor_);
    ::close(descriptor_);
}

void FileSink::write(std::string_view text) {
    if (text.size() >= kBuffer) {
        flush();
        return writeOut(text);
    }
    buffer_.append(text);
    if (buffer_.size() >= kBuffer) flush();
}

void FileSink::endCycle() {
    if (lively_) return flush();
    const std::int64_t now = roughMs();
    if (now - writtenMs_ >= kReadAlongMs) flush();
}

void FileSink::flush() {
    writeOut(buffer_);
    buffer_.clear();
    writtenMs_ = roughMs();
}

void FileSink::overwrite(std::uint64_t at, std::string_view bytes) {
    flush();
    while (!bytes.empty() && problem_ == 0) {
        const ssize_t done =
            ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (done >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(done));
            at += static_cast<std::uint64_t>(done);
        } else if (errno != EINTR) {
            problem_ = errno;
        }
    }
}

void FileSink::truncate(std::uint64_t size) {
    flush();
    // EINVAL: a device, which has no size
    if (problem_ == 0 && ::ftruncate(descriptor_, static_cast<off_t>(size)) != 0 && errno != EINVAL)
        problem_ = errno;
}

void FileSink::goOnAt(std::uint64_t length) {
    if (!file_) return flush();
    truncate(length);
    const auto place = static_cast<off_t>(length);
    if (problem_ == 0 && ::lseek(descriptor_, place, SEEK_SET) != place) problem_ = errno;
}

void FileSink::sync() {
    flush();
    // EINVAL, EROFS: a pipe or a device, which keeps nothing
    if (problem_ == 0 && ::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS)
        problem_ = errno;
}

void FileSink::writeOut(std::string_view text) {
    if (problem_ == 0) problem_ = writeAll(descriptor_, text);
}

}  // namespace sme
