#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace smec::driver {

/// What a keeper is to start.
struct KeptCommand {
    const std::vector<std::string>& words;  ///< found on PATH, without a shell
    std::vector<std::string> environment;
    std::filesystem::path folder{};      ///< to run it in; empty: the current one
    std::filesystem::path outputFile{};  ///< for stdout, emptied first; empty: `output`
    int output = -1;
    int errors = -1;
    std::uint64_t memory = UINT64_MAX;  ///< bytes
};

/// How it ended.
struct KeptEnd {
    int startError = 0;       ///< why it could not be started, as errno; 0: it was
    int waitStatus = 0;       ///< as waitpid() gives it
    bool overMemory = false;  ///< it was ended at its limit of memory
};

/// A program that runs below a keeper: a process between it and this one, which ends it, and
/// whatever it started in turn, with the program itself, when all of them together take more memory
/// than they may, or when this process is gone, however it ended. Keeper and program are a process
/// group of their own, where the keeper takes no signal that can be blocked. Above it stands a guard, in
/// a group of its own, which does the same when the keeper is killed.
///
/// For one thread at a time; several may be there at once.
class Keeper {
public:
    explicit Keeper(const KeptCommand& command);
    /// Ends what still runs.
    ~Keeper();
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

    /// 0: there could be none.
    pid_t group() const { return group_; }
    /// Can be read, for poll(), once nothing runs any more.
    int ended() const { return lifeline_; }
    /// To the program, and to what is still in its process group.
    void signal(int number) const;
    /// Kills all that runs.
    void kill();
    /// Waits until nothing runs.
    KeptEnd wait();

private:
    bool receive(void* bytes, std::size_t size) const;

    pid_t guard_ = 0;
    pid_t group_ = 0;
    int lifeline_ = -1;
    KeptEnd end_{};
    bool isReaped_ = false;
};

}  // namespace smec::driver
