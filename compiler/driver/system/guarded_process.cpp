#include "driver/system/guarded_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "driver/system/memory_limit.h"

// runGuarded(): a program below a keeper, told to end (SIGTERM) at its limit of time and killed a
// little later with all that it started.

namespace smec::driver {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kGrace{2000};
constexpr std::size_t kMostOutput = std::size_t{4} << 20;

/// Of this process, but with temporary files in that folder.
std::vector<std::string> environmentWith(const std::filesystem::path& scratch) {
    std::vector<std::string> result = environmentWords();
    if (scratch.empty()) return result;
    std::erase_if(result, [](const std::string& entry) { return entry.starts_with("TMPDIR="); });
    result.push_back("TMPDIR=" + scratch.string());
    return result;
}

class Guarded {
public:
    Guarded(const GuardedCommand& command, const InterruptScope& interrupts)
        : command_(command), interrupts_(interrupts) {}
    ~Guarded() {
        if (ends_[0] >= 0) close(ends_[0]);
    }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    ProcessResult run() {
        if (pipe2(ends_, O_CLOEXEC) != 0) return std::move(result_);
        Keeper keeper({.words = command_.words,
                       .environment = environmentWith(command_.scratch),
                       .folder = command_.folder,
                       .outputFile = command_.outputFile,
                       .output = ends_[1],
                       .errors = ends_[1],
                       .memory = memoryLimit()});
        close(ends_[1]);
        if (keeper.group() == 0) return std::move(result_);
        deadline_ = Clock::now() + command_.limit;
        while (isOpen_ || !hasEnded_)
            watch(keeper);
        takeEnd(keeper.wait(), result_);
        return std::move(result_);
    }

private:
    /// Waits for output, a signal to this process, or the next deadline.
    void watch(Keeper& keeper) {
        auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
        wait = std::max(wait, std::chrono::milliseconds{0}) + std::chrono::milliseconds{1};
        pollfd ends[3] = {{isOpen_ ? ends_[0] : -1, POLLIN, 0},
                          {asked_ ? -1 : interrupts_.wakeUp(), POLLIN, 0},
                          {hasEnded_ ? -1 : keeper.ended(), POLLIN, 0}};
        const auto most = std::chrono::milliseconds{1 << 30};
        if (poll(ends, 3, static_cast<int>(std::min(wait, most).count())) < 0) return;
        if (ends[0].revents != 0) isOpen_ = readSome();
        if (ends[2].revents != 0) hasEnded_ = true;
        const bool isLate = Clock::now() >= deadline_;
        if (hasEnded_ || (ends[1].revents == 0 && !isLate)) return;
        if (isLate && !asked_) result_.timedOut = true;
        asked_ ? keeper.kill() : keeper.signal(SIGTERM);
        asked_ = true;
        deadline_ = Clock::now() + kGrace;
    }

    /// Whether there may be more.
    bool readSome() {
        char buffer[65536];
        const ssize_t n = read(ends_[0], buffer, sizeof buffer);
        if (n < 0) return errno == EINTR;
        const std::string_view got(buffer, static_cast<std::size_t>(n));
        if (result_.output.size() < kMostOutput) result_.output.append(got);
        if (command_.onLine) tellLines(got);
        return n > 0;
    }

    void tellLines(std::string_view got) {
        for (std::size_t end; (end = got.find('\n')) != std::string_view::npos;) {
            line_.append(got.substr(0, end));
            command_.onLine(line_);
            line_.clear();
            got.remove_prefix(end + 1);
        }
        line_.append(got);
    }

    const GuardedCommand& command_;
    const InterruptScope& interrupts_;
    ProcessResult result_;
    std::string line_;  ///< that has not ended yet
    int ends_[2] = {-1, -1};
    bool isOpen_ = true;
    bool hasEnded_ = false;
    bool asked_ = false;  ///< to end
    Clock::time_point deadline_;
};

}  // namespace

ProcessResult runGuarded(const GuardedCommand& command, const InterruptScope& interrupts) {
    return Guarded(command, interrupts).run();
}

}  // namespace smec::driver
