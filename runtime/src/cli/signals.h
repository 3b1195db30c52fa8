#pragma once

#include <signal.h>

#include <atomic>
#include <cstdint>
#include <iterator>

namespace sme {

/// What a run is asked from outside: 0, the number of a signal, or kTimeLimit.
inline constexpr std::uint32_t kTimeLimit = 1000;

/// While it lives SIGINT and SIGTERM ask the run to end after the current cycle (a second one
/// kills at once, as usual), as SIGHUP, SIGXCPU and SIGUSR1 do, and SIGPIPE is ignored, so that a
/// closed pipe is an error of write(). What is ignored already stays so. One at a time in a process.
class SignalScope {
public:
    SignalScope();
    ~SignalScope();
    SignalScope(const SignalScope&) = delete;
    SignalScope& operator=(const SignalScope&) = delete;

    static std::atomic<std::uint32_t>& request();

private:
    static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGPIPE};
    struct sigaction before_[std::size(kSignals)];
};

}  // namespace sme
