#pragma once

#include <signal.h>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "driver/system/keeper.h"
#include "source/output_file.h"

namespace smec::driver {

struct ProcessResult {
    bool started = false;  ///< false: no such program
    int status = 0;        ///< exit status; 128 + n after signal n
    int signal = 0;        ///< 0, or the signal that ended it
    std::string output;    ///< stdout and stderr together, or stdout alone
    std::string errors;    ///< stderr where it is kept apart
    bool timedOut = false;
    bool overMemory = false;  ///< ended at the limit of memory, with all that it had started
};

/// How a kept program ended, as a result.
void takeEnd(const KeptEnd& end, ProcessResult& result);
/// The environment of this process, NAME=VALUE.
std::vector<std::string> environmentWords();

/// Says that a program was ended at its limit of memory, and how that can be changed: "Yosys was
/// ended at 17.3 GiB, the limit of memory for ...".
std::string memoryMessage(std::string_view program);
/// Where it was: prints that as an error and throws Ended.
void endAtMemoryLimit(const ProcessResult& result, std::string_view program);

/// Runs a program found on PATH, without a shell, below a Keeper, and keeps stdout and stderr apart. Of stdout the
/// last `mostOutput` bytes at least are kept. While it runs the signals that end a program are
/// passed on to it where an InterruptScope lives.
ProcessResult runProcessApart(const std::vector<std::string>& command, std::size_t mostOutput);

/// A signal has ended what a command was doing; thrown to the end of the command.
struct Interrupted {
    int signal;
};

/// While it lives the signals that end a program do not end this process but what
/// runProcessApart() runs, and are noted. One at a time in a process.
class InterruptScope {
public:
    InterruptScope();
    ~InterruptScope();
    InterruptScope(const InterruptScope&) = delete;
    InterruptScope& operator=(const InterruptScope&) = delete;

    /// The number of the signal that came first; 0: none.
    int signal() const;
    /// Can be read from then on; for poll().
    int wakeUp() const;

private:
    struct sigaction before_[std::size(kEndingSignals)];
};

/// The path of a program on PATH (or itself when it has a slash and is executable); empty when
/// there is none.
std::string findProgram(const std::string& name);

}  // namespace smec::driver
