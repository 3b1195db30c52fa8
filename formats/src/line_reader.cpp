#include "formats/line_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sme {
namespace {

constexpr std::size_t kChunk = std::size_t{256} * 1024;
constexpr int kAskAgainMs = 50;

bool isBlank(std::string_view line) {
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

/// A FIFO is opened without waiting for its writer: whoever waits in poll() can be told to end.
LineReader::LineReader(const std::string& path, Waiting waiting) : waiting_(std::move(waiting)) {
    owned_ = path != "-";
    descriptor_ =
        owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : STDIN_FILENO;
    if (descriptor_ < 0 || ::fstat(descriptor_, &opened_) != 0) {
        problem_ = errno;
        return;
    }
    isFile_ = S_ISREG(opened_.st_mode);
    const off_t from = isFile_ && !owned_ ? ::lseek(descriptor_, 0, SEEK_CUR) : 0;
    begin_ = from > 0 ? static_cast<std::uint64_t>(from) : 0;
}

LineReader::~LineReader() {
    if (owned_ && descriptor_ >= 0) ::close(descriptor_);
}

LineReader::Next LineReader::next(std::string_view& line) {
    while (!holds_) {
        const Next found = readLine(held_);
        if (found != Next::Line) {
            if (found == Next::TooLong) line_ += blanks_ + 1;
            return found;
        }
        holds_ = !isBlank(held_);
        if (!holds_) ++blanks_;
    }
    ++line_;
    line = {};
    if (blanks_ > 0) {
        --blanks_;
        return Next::Line;
    }
    holds_ = false;
    line = held_;
    if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    return Next::Line;
}

LineReader::Next LineReader::readLine(std::string_view& line) {
    for (std::size_t searched = 0;;) {
        const char* start = buffer_.data() + at_;
        const std::size_t size = end_ - at_;
        const void* found =
            size > searched ? std::memchr(start + searched, '\n', size - searched) : nullptr;
        if (!found && isOver_ && size == 0) return Next::End;
        if (found || isOver_) {
            const std::size_t length =
                found ? static_cast<std::size_t>(static_cast<const char*>(found) - start) : size;
            line = {start, length};
            at_ += length + (found ? 1 : 0);
            if (line.ends_with('\r')) line.remove_suffix(1);
            return Next::Line;
        }
        if (size > kLongestLine) return Next::TooLong;
        searched = size;
        if (const Next why = fill(); why != Next::Line) return why;
    }
}

/// More bytes after those that are left, which come to the front; or none, at the end.
LineReader::Next LineReader::fill() {
    if (problem_ != 0) return Next::Failed;
    if (at_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
        begin_ += at_;
        end_ -= at_;
        at_ = 0;
    }
    if (buffer_.size() - end_ < kChunk) buffer_.resize(std::max(2 * buffer_.size(), end_ + kChunk));
    for (;;) {
        if (!waitForInput()) return Next::Interrupted;
        char* target = buffer_.data() + end_;
        const std::size_t room = buffer_.size() - end_;
        const ssize_t done =
            isFile_ ? ::pread(descriptor_, target, room, static_cast<off_t>(begin_ + end_))
                    : ::read(descriptor_, target, room);
        if (done >= 0) {
            end_ += static_cast<std::size_t>(done);
            isOver_ = done == 0;
            return Next::Line;
        }
        if (errno == EINTR || errno == EAGAIN) continue;
        problem_ = errno;
        return Next::Failed;
    }
}

bool LineReader::waitForInput() const {
    pollfd asked{descriptor_, POLLIN, 0};
    for (bool waits = false;;) {
        if (waiting_.mustEnd && waiting_.mustEnd()) return false;
        const int ready = isFile_ ? 1 : ::poll(&asked, 1, waits ? kAskAgainMs : 0);
        if (ready > 0 || (ready < 0 && errno != EINTR)) return true;  // read() says what it is
        if (!waits && waiting_.pause) waiting_.pause();
        waits = true;
    }
}

void LineReader::seek(Place place) {
    begin_ = place.offset;
    line_ = place.line;
    at_ = end_ = 0;
    blanks_ = 0;
    holds_ = isOver_ = false;
}

bool LineReader::hasChanged() const {
    struct stat now {};
    return ::fstat(descriptor_, &now) != 0 || now.st_size != opened_.st_size
           || now.st_mtim.tv_sec != opened_.st_mtim.tv_sec
           || now.st_mtim.tv_nsec != opened_.st_mtim.tv_nsec;
}

}  // namespace sme
