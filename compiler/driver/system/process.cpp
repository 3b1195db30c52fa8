#include "driver/system/process.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace smec::driver {
namespace {

// The globals of the driver: a handler has nothing else to reach.
std::atomic<int> signalled{0};
std::atomic<pid_t> child{0};
std::atomic<int> wakeUpEvent{-1};
static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void passOn(int number) {
    int none = 0;
    signalled.compare_exchange_strong(none, number);
    if (const int event = wakeUpEvent.load(); event >= 0) eventfd_write(event, 1);
    // Who reaps the child forgets it first, so that the number is still the child's.
    if (const pid_t pid = child.load()) kill(pid, number);
}

int spawnWithPipe(const std::vector<std::string>& command, int outputEnd, int errorEnd,
                  pid_t& pid) {
    std::vector<char*> argv;
    for (const std::string& word : command)
        argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, outputEnd, 1);
    posix_spawn_file_actions_adddup2(&actions, errorEnd, 2);
    const int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

void reap(pid_t pid, ProcessResult& result) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + result.signal;
}

/// Appends what can be read now; whether there may be more.
bool readSome(int fd, std::string& text) {
    char buffer[65536];
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0) return errno == EINTR;
    text.append(buffer, static_cast<std::size_t>(n));
    return n > 0;
}

void drainBoth(int out, int err, std::size_t mostOutput, ProcessResult& result) {
    pollfd ends[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        if (poll(ends, 2, -1) < 0) {
            if (errno == EINTR) continue;
            return;
        }
        // poll() passes over negative numbers
        if (ends[0].revents != 0 && !readSome(out, result.output)) ends[0].fd = -1;
        if (ends[1].revents != 0 && !readSome(err, result.errors)) ends[1].fd = -1;
        if (result.output.size() / 2 > mostOutput)
            result.output.erase(0, result.output.size() - mostOutput);
    }
}

}  // namespace

ProcessResult runProcessApart(const std::vector<std::string>& command, std::size_t mostOutput) {
    ProcessResult result;
    int out[2];
    int err[2];
    if (pipe2(out, O_CLOEXEC) != 0) return result;
    if (pipe2(err, O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return result;
    }
    pid_t pid = 0;
    const int error = spawnWithPipe(command, out[1], err[1], pid);
    close(out[1]);
    close(err[1]);
    if (error == 0) {
        result.started = true;
        child.store(pid);
        if (const int number = signalled.load()) kill(pid, number);  // came before the store
        drainBoth(out[0], err[0], mostOutput, result);
        siginfo_t ended;
        while (waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT) < 0
               && errno == EINTR) {}
        child.store(0);
        reap(pid, result);
    }
    close(out[0]);
    close(err[0]);
    return result;
}

InterruptScope::InterruptScope() {
    signalled.store(0);
    wakeUpEvent.store(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    for (std::size_t i = 0; i < std::size(kEndingSignals); ++i) {
        struct sigaction action {};
        action.sa_handler = passOn;
        sigemptyset(&action.sa_mask);
        sigaction(kEndingSignals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) sigaction(kEndingSignals[i], &action, nullptr);
    }
}

InterruptScope::~InterruptScope() {
    for (std::size_t i = 0; i < std::size(kEndingSignals); ++i)
        sigaction(kEndingSignals[i], &before_[i], nullptr);
    close(wakeUpEvent.exchange(-1));
}

int InterruptScope::signal() const { return signalled.load(); }

int InterruptScope::wakeUp() const { return wakeUpEvent.load(); }

namespace {

/// Folders can be "executed", too.
bool isProgram(const std::string& path) {
    struct stat file {};
    return access(path.c_str(), X_OK) == 0 && stat(path.c_str(), &file) == 0
           && S_ISREG(file.st_mode);
}

}  // namespace

std::string findProgram(const std::string& name) {
    if (name.find('/') != std::string::npos) return isProgram(name) ? name : std::string();
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "/usr/bin:/bin";
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        const std::string candidate = std::string(rest.substr(0, colon)) + "/" + name;
        if (isProgram(candidate)) return candidate;
        rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    }
    return {};
}

}  // namespace smec::driver
