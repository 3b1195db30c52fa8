#include "driver/system/process.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "driver/system/ended.h"
#include "driver/system/exit_status.h"
#include "driver/system/memory_limit.h"

namespace smec::driver {
namespace {

// The globals of the driver: a handler has nothing else to reach.
std::atomic<int> signalled{0};
std::atomic<pid_t> keptGroup{0};
std::atomic<int> wakeUpEvent{-1};
static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void passOn(int number) {
    int none = 0;
    signalled.compare_exchange_strong(none, number);
    if (const int event = wakeUpEvent.load(); event >= 0) eventfd_write(event, 1);
    // Who reaps the keeper forgets it first, so that the number is still its group's.
    if (const pid_t group = keptGroup.load()) kill(-group, number);
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

void takeEnd(const KeptEnd& end, ProcessResult& result) {
    result.started = end.startError == 0;
    result.overMemory = end.overMemory;
    result.signal = WIFSIGNALED(end.waitStatus) ? WTERMSIG(end.waitStatus) : 0;
    result.status = WIFEXITED(end.waitStatus) ? WEXITSTATUS(end.waitStatus) : 128 + result.signal;
}

std::string memoryMessage(std::string_view program) {
    return fmt::format("{} was ended since it took more than {} of memory; {}=SIZE in the "
                       "environment allows more, such as 64G, or none",
                       program, memoryText(memoryLimit()), kMemoryVariable);
}

void endAtMemoryLimit(const ProcessResult& result, std::string_view program) {
    if (!result.overMemory) return;
    fmt::print(stderr, "smec: error: {}\n", memoryMessage(program));
    throw Ended{exit_status::kLimit};
}

std::vector<std::string> environmentWords() {
    std::vector<std::string> result;
    for (char** entry = environ; *entry; ++entry)
        result.emplace_back(*entry);
    return result;
}

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
    Keeper keeper({.words = command,
                   .environment = environmentWords(),
                   .folder = {},
                   .outputFile = {},
                   .output = out[1],
                   .errors = err[1],
                   .memory = memoryLimit()});
    close(out[1]);
    close(err[1]);
    if (keeper.group() != 0) {
        keptGroup.store(keeper.group());
        if (const int number = signalled.load()) keeper.signal(number);  // came before the store
        drainBoth(out[0], err[0], mostOutput, result);
        pollfd end{keeper.ended(), POLLIN, 0};
        while (poll(&end, 1, -1) < 0 && errno == EINTR) {}
        keptGroup.store(0);
        takeEnd(keeper.wait(), result);
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
