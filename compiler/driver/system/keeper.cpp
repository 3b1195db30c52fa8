#include "driver/system/keeper.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// smec ─── guard ─── keeper ─── ninja ─── sh ─── g++ ─── cc1plus
//
// A signal at the parent's death (PR_SET_PDEATHSIG) reaches one process, not what that one started,
// and Ninja gives each compiler a process group of its own. So the keeper is who orphans fall to
// (PR_SET_CHILD_SUBREAPER): it kills its children, then those that come to it, until there are none.
// It learns that smec is gone from the end of a socket, which has no race, not even with kill -9.
// Should it be killed itself, its child gets SIGTERM, and all that it had falls to the guard, who waits
// for the keeper and is a second such process: whoever kills smec and all that is called so, and its
// process group, does not meet it. Of the three any two may be killed. The guard has no other duty.
//
// Of memory the pages count that are no file's, over all processes. RLIMIT_AS and RLIMIT_DATA are
// for one process each and count what is reserved only: WebAssembly and sanitizers reserve more
// than a machine has.
//
// The keeper is forked and goes on in this program, without its other threads: it calls nothing
// that could wait for one of them.

namespace smec::driver {
namespace {

constexpr std::uint64_t kFastestGrowth = std::uint64_t{16} << 30;  // bytes of memory per second
constexpr int kShortestWatch = 10;                                 // ms
constexpr int kLongestWatch = 250;
constexpr int kLifeline = 3;  // descriptor of the keeper's end
constexpr int kFree = 5;      // and above: are nothing's in particular

/// argv or envp for the words, which have to outlive it.
std::vector<char*> pointersTo(const std::vector<std::string>& words) {
    std::vector<char*> result;
    for (const std::string& word : words)
        result.push_back(const_cast<char*>(word.c_str()));
    result.push_back(nullptr);
    return result;
}

/// A small file of /proc as text; empty where there is none.
std::size_t readSmall(const char* path, char* text, std::size_t size) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    std::size_t length = 0;
    if (file >= 0) {
        for (ssize_t n = 1; n > 0 && length + 1 < size; length += n > 0 ? std::size_t(n) : 0)
            n = read(file, text + length, size - 1 - length);
        close(file);
    }
    text[length] = 0;
    return length;
}

/// "/proc/12/" and what follows.
struct ProcPath {
    char text[64];
    ProcPath(pid_t process, const char* name, pid_t thread = 0, const char* rest = "") {
        char* end = append(append(text, "/proc/"), process);
        end = append(append(end, "/"), name);
        if (thread != 0) end = append(end, thread);
        append(end, rest);
    }

private:
    static char* append(char* to, const char* word) { return stpcpy(to, word); }
    static char* append(char* to, pid_t number) {
        char digits[16];
        int count = 0;
        for (; number > 0 || count == 0; number /= 10)
            digits[count++] = static_cast<char>('0' + number % 10);
        while (count > 0)
            *to++ = digits[--count];
        *to = 0;
        return to;
    }
};

/// Adds the children of a process that its first thread has started, or that fell to it. (Ninja,
/// compilers and Yosys start theirs there; those of other threads are found once they are orphans.)
void addChildren(pid_t parent, std::vector<pid_t>& found) {
    static char text[1 << 16];  // of this process, which has one thread
    readSmall(ProcPath(parent, "task/", parent, "/children").text, text, sizeof text);
    for (const char* at = text; *at != 0;) {
        char* end = nullptr;
        const long child = std::strtol(at, &end, 10);
        if (end == at || *end != ' ') break;  // not a number that is cut off
        found.push_back(static_cast<pid_t>(child));
        at = end + 1;
    }
}

std::uint64_t bytesOf(pid_t process) {
    char text[256];
    readSmall(ProcPath(process, "statm").text, text, sizeof text);
    char* at = text;
    std::strtoull(at, &at, 10);  // reserved
    const std::uint64_t resident = std::strtoull(at, &at, 10);
    const std::uint64_t ofFiles = std::strtoull(at, &at, 10);
    static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return (resident - std::min(resident, ofFiles)) * page;
}

/// Kills the children of this process, and then those that fall to it through that, until there are
/// none. `reaped(process)` waits for one.
template <typename Reap>
void killChildren(pid_t own, pid_t unlisted, std::vector<pid_t>& found, const Reap& reap) {
    while (true) {
        found.clear();
        addChildren(own, found);
        if (found.empty() && unlisted > 0) found.push_back(std::exchange(unlisted, 0));
        if (found.empty()) return;
        for (const pid_t process : found)
            ::kill(process, SIGKILL);
        for (const pid_t process : found)
            reap(process);
    }
}

int waitFor(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR) break;
    return status;
}

void closeFrom(int first) {
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
    for (int i = first; i < static_cast<int>(sysconf(_SC_OPEN_MAX)); ++i)
        close(i);
}

void tellSmec(const void* bytes, std::size_t size) {
    while (send(kLifeline, bytes, size, MSG_NOSIGNAL) < 0 && errno == EINTR) {}
}

/// Outlives the keeper. It tells smec nothing where there is one: what both told would come in any
/// order.
[[noreturn]] void guard(pid_t keeper) {
    prctl(PR_SET_NAME, "sme-guard");
    if (keeper < 0) tellSmec(&keeper, sizeof keeper);
    const int nothing = open("/dev/null", O_RDWR);
    for (const int standard : {0, 1, 2})
        dup2(nothing, standard);
    closeFrom(kLifeline + 1);
    if (keeper > 0) waitFor(keeper);
    std::vector<pid_t> found;
    killChildren(getpid(), 0, found, waitFor);
    _exit(0);
}

class KeeperProcess {
public:
    KeeperProcess(const KeptCommand& command, const std::vector<char*>& argv,
                  const std::vector<char*>& envp, const sigset_t& mask)
        : command_(command), argv_(argv), envp_(envp), mask_(mask) {}

    [[noreturn]] void run() {
        prctl(PR_SET_NAME, "smec-keeper");
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        signal(SIGCHLD, SIG_DFL);
        own_ = getpid();
        setpgid(0, 0);
        tellSmec(&own_, sizeof own_);
        start();
        sigset_t children;
        sigemptyset(&children);
        sigaddset(&children, SIGCHLD);
        childEvent_ = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
        while (isRunning_)
            watch();
        killAll();
        tellSmec(&end_, sizeof end_);
        _exit(0);
    }

private:
    void start() {
        int report[2];
        if (pipe2(report, O_CLOEXEC) != 0) return fail(errno);
        child_ = fork();
        if (child_ == 0) becomeProgram(report[1]);
        if (child_ < 0) return fail(errno);
        close(report[1]);
        int error = 0;
        ssize_t n = 0;
        while ((n = read(report[0], &error, sizeof error)) < 0 && errno == EINTR) {}
        isRunning_ = n == 0;
        end_.startError = error;
        dup2(report[0],
             0);  // descriptors of smec are none of the keeper's: their ends would not come
        dup2(report[0], 1);
        dup2(report[0], 2);
        closeFrom(kLifeline + 1);
    }

    void fail(int error) {
        end_.startError = error;
        isRunning_ = false;
    }

    [[noreturn]] void becomeProgram(int reportEnd) const {
        const int report = fcntl(reportEnd, F_DUPFD_CLOEXEC, kFree);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != own_) _exit(127);
        // The first to go where memory is short, rather than programs that are not ours.
        if (const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); score >= 0) {
            const ssize_t written = write(score, "500", 3);
            (void)written;  // may be forbidden
            close(score);
        }
        const int input = open("/dev/null", O_RDONLY);
        int output = command_.output;
        if (!command_.outputFile.empty())
            output = open(command_.outputFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        const bool isReady = output >= 0 && dup2(input, 0) == 0 && dup2(output, 1) == 1
                             && dup2(command_.errors, 2) == 2
                             && (command_.folder.empty() || chdir(command_.folder.c_str()) == 0);
        const int error = isReady ? 0 : errno;
        for (const int extra : {input, output})
            if (extra > 2) close(extra);
        sigprocmask(SIG_SETMASK, &mask_, nullptr);
        if (isReady) execvpe(argv_[0], argv_.data(), envp_.data());
        const int reason = isReady ? errno : error;
        const ssize_t written = write(report, &reason, sizeof reason);
        _exit(written == sizeof reason ? 127 : 126);
    }

    /// Until a child ends, smec does, or it is time to look at the memory.
    void watch() {
        pollfd ends[2] = {{kLifeline, POLLIN, 0}, {childEvent_, POLLIN, 0}};
        poll(ends, 2, nextLook());
        if (ends[0].revents != 0) isRunning_ = false;
        signalfd_siginfo unread[8];
        while (read(childEvent_, unread, sizeof unread) > 0) {}
        int status = 0;
        for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
            if (ended != child_) continue;
            end_.waitStatus = status;
            hasStatus_ = true;
            isRunning_ = false;
        }
    }

    /// Milliseconds in which what runs cannot outgrow its limit.
    int nextLook() {
        if (command_.memory == UINT64_MAX) return -1;
        const std::uint64_t used = bytesOfAll();
        if (used > command_.memory) {
            end_.overMemory = true;
            isRunning_ = false;
            return 0;
        }
        const std::uint64_t milliseconds = (command_.memory - used) / (kFastestGrowth / 1000);
        return std::clamp(static_cast<int>(std::min<std::uint64_t>(milliseconds, kLongestWatch)),
                          kShortestWatch, kLongestWatch);
    }

    std::uint64_t bytesOfAll() {
        processes_.clear();
        addChildren(own_, processes_);
        std::uint64_t all = 0;
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            all += bytesOf(processes_[i]);
            addChildren(processes_[i], processes_);
        }
        return all;
    }

    void killAll() {
        const pid_t unlisted = hasStatus_ ? 0 : child_;  // where /proc does not say
        killChildren(own_, unlisted, processes_, [this](pid_t process) {
            const int status = waitFor(process);
            if (process != child_) return;
            if (!hasStatus_) end_.waitStatus = status;
            hasStatus_ = true;
        });
    }

    const KeptCommand& command_;
    const std::vector<char*>& argv_;
    const std::vector<char*>& envp_;
    const sigset_t& mask_;
    KeptEnd end_{};
    std::vector<pid_t> processes_;
    pid_t own_ = 0;
    pid_t child_ = 0;
    int childEvent_ = -1;
    bool isRunning_ = true;
    bool hasStatus_ = false;
};

}  // namespace

Keeper::Keeper(const KeptCommand& command) {
    const std::vector<char*> argv = pointersTo(command.words),
                             envp = pointersTo(command.environment);
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    // Nothing may come between the fork and what the child sets up.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        KeptCommand moved = command;  // the caller's descriptors may have any number
        moved.output = fcntl(command.output, F_DUPFD_CLOEXEC, kFree);
        moved.errors = fcntl(command.errors, F_DUPFD_CLOEXEC, kFree);
        if (ends[1] != kLifeline) dup3(ends[1], kLifeline, O_CLOEXEC);
        if (const pid_t keeper = fork(); keeper != 0) guard(keeper);
        KeeperProcess(moved, argv, envp, before).run();
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return;
    }
    guard_ = pid;
    lifeline_ = ends[0];
    if (!receive(&group_, sizeof group_) || group_ < 0) group_ = 0;
}

bool Keeper::receive(void* bytes, std::size_t size) const {
    ssize_t n = 0;
    while ((n = recv(lifeline_, bytes, size, MSG_WAITALL)) < 0 && errno == EINTR) {}
    return n == static_cast<ssize_t>(size);
}

Keeper::~Keeper() {
    if (guard_ != 0 && !isReaped_) {
        kill();
        wait();
    }
    if (lifeline_ >= 0) close(lifeline_);
}

void Keeper::signal(int number) const {
    if (group_ != 0 && !isReaped_) ::kill(-group_, number);
}

void Keeper::kill() {
    if (lifeline_ >= 0) shutdown(lifeline_, SHUT_WR);
}

KeptEnd Keeper::wait() {
    if (guard_ == 0 || isReaped_) return end_;
    if (!receive(&end_, sizeof end_))
        end_ = {.startError = 0, .waitStatus = SIGKILL, .overMemory = false};
    waitFor(guard_);
    isReaped_ = true;
    return end_;
}

}  // namespace smec::driver
