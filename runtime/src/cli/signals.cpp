#include "cli/signals.h"

#include "formats/ending_signals.h"

namespace sme {
namespace {

// The one global of the runtime: a handler has nothing else to reach.
std::atomic<std::uint32_t> requested{0};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

extern "C" void onSignal(int number) {
    std::uint32_t first = 0;
    // relaxed: nothing is handed over with the number
    if (requested.compare_exchange_strong(first, static_cast<std::uint32_t>(number),
                                          std::memory_order_relaxed))
        return;
    const Again again = askedAgain(static_cast<int>(first), number);
    if (again == Again::End)
        requested.store(static_cast<std::uint32_t>(number), std::memory_order_relaxed);
    if (again != Again::Now) return;
    signal(number, SIG_DFL);
    raise(number);  // delivered when this handler returns
}

}  // namespace

SignalScope::SignalScope() {
    requested.store(0, std::memory_order_relaxed);
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
        struct sigaction action {};
        action.sa_handler = kSignals[i] == SIGPIPE ? SIG_IGN : onSignal;
        sigemptyset(&action.sa_mask);
        sigaction(kSignals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN)
            sigaction(kSignals[i], &action, nullptr);  // nohup stays nohup
    }
}

SignalScope::~SignalScope() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i)
        sigaction(kSignals[i], &before_[i], nullptr);
}

std::atomic<std::uint32_t>& SignalScope::request() { return requested; }

}  // namespace sme
