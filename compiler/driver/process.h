#pragma once

#include <functional>
#include <string>
#include <vector>

namespace smec::driver {

struct ProcessResult {
    bool started = false;  ///< false: no such program
    int status = 0;        ///< exit status; 128 + n after signal n
    int signal = 0;        ///< 0, or the signal that ended it
    std::string output;    ///< stdout and stderr together
};

/// Runs a program found on PATH, without a shell. `onLine` sees each line of output as it comes.
ProcessResult runProcess(const std::vector<std::string>& command,
                         const std::function<void(const std::string&)>& onLine = {});

/// The path of a program on PATH (or itself when it has a slash and is executable); empty when
/// there is none.
std::string findProgram(const std::string& name);

}  // namespace smec::driver
