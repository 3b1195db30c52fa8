#include "driver/process.h"

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace smec::driver {
namespace {

/// Reads until end of file; hands complete lines on.
void drain(int fd, std::string& output, const std::function<void(const std::string&)>& onLine) {
    char buffer[65536];
    std::size_t lineStart = 0;
    while (true) {
        const ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        output.append(buffer, static_cast<std::size_t>(n));
        if (!onLine) continue;
        for (std::size_t end; (end = output.find('\n', lineStart)) != std::string::npos;
             lineStart = end + 1) {
            onLine(output.substr(lineStart, end - lineStart));
        }
    }
}

int spawnWithPipe(const std::vector<std::string>& command, int writeEnd, pid_t& pid) {
    std::vector<char*> argv;
    for (const std::string& word : command)
        argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, writeEnd, 1);
    posix_spawn_file_actions_adddup2(&actions, writeEnd, 2);
    const int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

}  // namespace

ProcessResult runProcess(const std::vector<std::string>& command,
                         const std::function<void(const std::string&)>& onLine) {
    ProcessResult result;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return result;
    pid_t pid = 0;
    const int error = spawnWithPipe(command, ends[1], pid);
    close(ends[1]);
    if (error == 0) {
        result.started = true;
        drain(ends[0], result.output, onLine);
        int status = 0;
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
        result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + result.signal;
    }
    close(ends[0]);
    return result;
}

std::string findProgram(const std::string& name) {
    if (name.find('/') != std::string::npos)
        return access(name.c_str(), X_OK) == 0 ? name : std::string();
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "/usr/bin:/bin";
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        const std::string candidate = std::string(rest.substr(0, colon)) + "/" + name;
        if (access(candidate.c_str(), X_OK) == 0) return candidate;
        rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    }
    return {};
}

}  // namespace smec::driver
