#pragma once

// Signals that ask a run to end after its cycle, with its files whole and its state kept.

#include <csignal>

namespace sme {

/// Whoever sends one of these again wants the end at once.
inline constexpr int kImpatientSignals[] = {SIGINT, SIGTERM};
/// Warnings of a terminal, a limit of the system and a batch system (Slurm's --signal=USR1@60), which
/// may come several times.
inline constexpr int kPatientSignals[] = {SIGHUP, SIGXCPU, SIGUSR1};

constexpr bool isImpatient(int signal) {
    for (const int each : kImpatientSignals)
        if (each == signal) return true;
    return false;
}
constexpr bool isPatient(int signal) {
    for (const int each : kPatientSignals)
        if (each == signal) return true;
    return false;
}

/// What a signal asks for after a first one.
enum class Again : unsigned char {
    Nothing,  ///< the run ends already
    End,  ///< it is the first impatient one: the run ends already, and the next one ends it at once
    Now
};
constexpr Again askedAgain(int first, int signal) {
    if (!isImpatient(signal)) return Again::Nothing;
    return isPatient(first) ? Again::End : Again::Now;
}

}  // namespace sme
