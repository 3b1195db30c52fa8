#include "driver/system/guarded_process.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// runGuarded(): a child in a process group of its own, told to end (SIGTERM) at its limit and
// killed a little later with all that it started.

namespace smec::driver {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kGrace{2000};
constexpr std::chrono::milliseconds kGlance{5};  // at a child that has closed its output
constexpr std::size_t kMostOutput = std::size_t{4} << 20;

/// argv or envp for the words, which have to outlive it.
std::vector<char*> pointersTo(const std::vector<std::string>& words) {
    std::vector<char*> result;
    for (const std::string& word : words)
        result.push_back(const_cast<char*>(word.c_str()));
    result.push_back(nullptr);
    return result;
}

/// Of this process, but with temporary files in that folder.
std::vector<std::string> environmentWith(const std::filesystem::path& scratch) {
    std::vector<std::string> result;
    for (char** entry = environ; *entry; ++entry)
        if (scratch.empty() || std::strncmp(*entry, "TMPDIR=", 7) != 0) result.emplace_back(*entry);
    if (!scratch.empty()) result.push_back("TMPDIR=" + scratch.string());
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
        result_.started = spawn();
        close(ends_[1]);
        if (!result_.started) return std::move(result_);
        deadline_ = Clock::now() + command_.limit;
        while (!hasEnded())
            watch();
        // Its number is in use until it is reaped: the group can be no other.
        kill(-pid_, SIGKILL);
        reap();
        return std::move(result_);
    }

private:
    bool spawn() {
        const std::vector<std::string> environment = environmentWith(command_.scratch);
        const std::vector<char*> argv = pointersTo(command_.words), envp = pointersTo(environment);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        if (command_.outputFile.empty())
            posix_spawn_file_actions_adddup2(&actions, ends_[1], 1);
        else
            posix_spawn_file_actions_addopen(&actions, 1, command_.outputFile.c_str(),
                                             O_WRONLY | O_CREAT | O_TRUNC, 0666);
        posix_spawn_file_actions_adddup2(&actions, ends_[1], 2);
        if (!command_.folder.empty())
            posix_spawn_file_actions_addchdir_np(&actions, command_.folder.c_str());
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        posix_spawnattr_setpgroup(&attributes, 0);
        const int error =
            posix_spawnp(&pid_, argv[0], &actions, &attributes, argv.data(), envp.data());
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        return error == 0;
    }

    bool hasEnded() const {
        siginfo_t ended{};
        const int flags = WEXITED | WNOHANG | WNOWAIT;
        const bool known = waitid(P_PID, static_cast<id_t>(pid_), &ended, flags) == 0;
        return !isOpen_ && known && ended.si_pid == pid_;
    }

    /// Waits for output, a signal to this process, or the next deadline.
    void watch() {
        auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
        wait = std::max(wait, std::chrono::milliseconds{0}) + std::chrono::milliseconds{1};
        if (!isOpen_) wait = std::min(wait, kGlance);
        pollfd ends[2] = {{isOpen_ ? ends_[0] : -1, POLLIN, 0},
                          {asked_ ? -1 : interrupts_.wakeUp(), POLLIN, 0}};
        const auto most = std::chrono::milliseconds{1 << 30};
        if (poll(ends, 2, static_cast<int>(std::min(wait, most).count())) < 0) return;
        if (ends[0].revents != 0) isOpen_ = readSome();
        const bool isLate = Clock::now() >= deadline_;
        if (ends[1].revents == 0 && !isLate) return;
        if (isLate && !asked_) result_.timedOut = true;
        kill(-pid_, asked_ ? SIGKILL : SIGTERM);
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

    void reap() {
        int status = 0;
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
        result_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        result_.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + result_.signal;
    }

    const GuardedCommand& command_;
    const InterruptScope& interrupts_;
    ProcessResult result_;
    std::string line_;  ///< that has not ended yet
    int ends_[2] = {-1, -1};
    pid_t pid_ = 0;
    bool isOpen_ = true;
    bool asked_ = false;  ///< to end
    Clock::time_point deadline_;
};

}  // namespace

ProcessResult runGuarded(const GuardedCommand& command, const InterruptScope& interrupts) {
    return Guarded(command, interrupts).run();
}

namespace {

/// Of all threads.
std::vector<pid_t> children() {
    std::vector<pid_t> result;
    std::error_code error;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
        std::ifstream list(thread.path() / "children");
        for (pid_t child = 0; list >> child;)
            result.push_back(child);
    }
    return result;
}

}  // namespace

OrphanScope::OrphanScope() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

OrphanScope::~OrphanScope() {
    for (std::vector<pid_t> left = children(); !left.empty(); left = children()) {
        for (const pid_t child : left)
            kill(child, SIGKILL);
        for (const pid_t child : left)
            while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
    }
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

}  // namespace smec::driver
