#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "output/file_problem.h"

namespace sme {

/// Whose fault it is that a run cannot go on.
enum class ErrorKind : std::uint8_t {
    Data,      ///< the content of a file; the message starts with its place
    State,     ///< a state that is none of the design's
    Usage,     ///< what was asked for does not exist or does not go together
    Files,     ///< something cannot be read or written
    Limit,     ///< no more memory or threads
    Internal,  ///< ours
};

/// The one exception of the runtime. Its text is for users: lower-case, without a final newline.
class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    ErrorKind kind() const { return kind_; }

private:
    ErrorKind kind_;
};

/// Throws what is wrong with a file, if something is.
inline void throwIfAny(const FileProblem& problem) {
    if (!problem) return;
    const ErrorKind kind = problem.status == 1   ? ErrorKind::Data
                           : problem.status == 2 ? ErrorKind::Usage
                                                 : ErrorKind::Files;
    throw Error(kind, problem.message);
}

/// The command line or the settings of a run ask for what there is not.
[[noreturn]] inline void wrongUsage(const std::string& message) {
    throw Error(ErrorKind::Usage, message);
}

}  // namespace sme
