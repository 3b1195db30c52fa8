#pragma once

#include <array>
#include <csignal>

namespace smec::interp {

/// While it lives, SIGINT and SIGTERM only ask for the end of the run, so that files and results
/// are complete up to a cycle; a second one kills. SIGPIPE is ignored: a closed pipe is an error of
/// writing. One at a time.
class InterruptScope {
public:
    InterruptScope();
    ~InterruptScope();
    InterruptScope(const InterruptScope&) = delete;
    InterruptScope& operator=(const InterruptScope&) = delete;

    /// The number of the signal that came, or 0; may change at any time.
    static const volatile std::sig_atomic_t& signal();

private:
    std::array<struct sigaction, 3> before_{};
};

}  // namespace smec::interp
