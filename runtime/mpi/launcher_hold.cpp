#include "launcher_hold.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <initializer_list>

namespace sme {
namespace {

/// Not every sleep knows fractions.
constexpr const char* kScript = "trap '' INT TERM; read end || sleep 0.5 || sleep 1";

/// It inherits PMI_FD, the connection, and has nothing else of this process.
bool startShell(int standardInput) {
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return false;
    posix_spawn_file_actions_adddup2(&actions, standardInput, STDIN_FILENO);
    for (const int file : {STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_WRONLY, 0);
    const char* const words[] = {"sh", "-c", kScript, nullptr};
    pid_t child = 0;
    const int problem =
        posix_spawn(&child, "/bin/sh", &actions, nullptr, const_cast<char* const*>(words), environ);
    posix_spawn_file_actions_destroy(&actions);
    return problem == 0;
}

}  // namespace

LauncherHold::LauncherHold() {
    int ends[2];
    if (!std::getenv("PMI_FD") || pipe2(ends, O_CLOEXEC) != 0) return;
    pipe_ = ends[1];
    const bool isStarted = startShell(ends[0]);
    close(ends[0]);
    if (isStarted) return;
    close(pipe_);
    pipe_ = -1;
}

LauncherHold::~LauncherHold() {
    if (pipe_ < 0) return;
    [[maybe_unused]] const ssize_t written = write(pipe_, "\n", 1);
    close(pipe_);
}

}  // namespace sme
