#pragma once

#include <array>
#include <csignal>

namespace smec::interp {

/// While it lives, SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGUSR1 only ask for the end of the run, so
/// that files and results are complete up to a cycle; a second one of the first two kills. SIGPIPE is
/// ignored: a closed pipe is an error of writing. What is ignored already stays so. One at a time.
class InterruptScope {
public:
    InterruptScope();
    ~InterruptScope();
    InterruptScope(const InterruptScope&) = delete;
    InterruptScope& operator=(const InterruptScope&) = delete;

    /// The number of the signal that came, or 0; may change at any time.
    static const volatile std::sig_atomic_t& signal();

private:
    static constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGPIPE};
    std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace smec::interp
