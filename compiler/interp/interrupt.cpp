#include "interp/interrupt.h"

#include "formats/ending_signals.h"

namespace smec::interp {

namespace {

volatile std::sig_atomic_t received = 0;  // a handler reaches nothing else

void note(int signal) {
    const sme::Again again =
        received == 0 ? sme::Again::End : sme::askedAgain(static_cast<int>(received), signal);
    if (again == sme::Again::Nothing) return;
    if (again == sme::Again::Now) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
    received = signal;
}

}  // namespace

InterruptScope::InterruptScope() {
    received = 0;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        struct sigaction action {};
        action.sa_handler = kSignals[i] == SIGPIPE ? SIG_IGN : note;
        action.sa_flags = SA_RESTART;
        sigaction(kSignals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN)
            sigaction(kSignals[i], &action, nullptr);  // nohup stays nohup
    }
}

InterruptScope::~InterruptScope() {
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        sigaction(kSignals[i], &before_[i], nullptr);
}

const volatile std::sig_atomic_t& InterruptScope::signal() { return received; }

}  // namespace smec::interp
