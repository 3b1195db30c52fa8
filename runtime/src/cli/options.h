#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/scheduling.h"
#include "trace/traces.h"

namespace sme {

/// Cycles [start, start + count).
struct ScheduleRange {
    std::uint64_t start;
    std::uint64_t count;
};

/// The command line of a simulator, as in CLI.md.
struct Options {
    std::optional<std::uint64_t> cycles;
    std::uint64_t seed = 0;
    double timeout = 0;  ///< seconds; 0: none
    std::uint64_t loopLimit = 1'000'000'000;

    unsigned threads = 0;  ///< 0: auto
    Scheduling scheduling;
    bool hasChunk = false;                ///< --chunk was given; else the model's default
    bool hasQueues = false;               ///< --queues was given
    std::uint64_t adapt = 0;              ///< cycles of a window; 0: the plan stays
    std::string costs;                    ///< file of measured times
    std::vector<std::string> ownThreads;  ///< globs for processes with a thread of their own
    bool oversubscribe = false;           ///< start all --threads, also beyond the processors

    bool reportText = false;
    bool reportJson = false;
    unsigned reportFactored = 0;  ///< runs of each kind; 0: no such report
    std::string scheduleTrace;
    std::optional<ScheduleRange> scheduleWindow;

    std::string input;
    std::string expect;
    std::vector<std::string> traces;
    TraceSelection selection;

    bool checksum = false;
    std::vector<std::string> prints;
    bool list = false;
    bool progress = false;
    bool quiet = false;
    bool help = false;
    bool version = false;
};

/// Reads the arguments (without the program's name). False and a message when they are wrong: exit
/// status 2.
bool parseOptions(const std::vector<std::string>& arguments, Options& options, std::string& error);

/// The text of --help.
std::string helpText(const char* program);

}  // namespace sme
