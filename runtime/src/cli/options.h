#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run/run_options.h"
#include "sme/option_words.h"
#include "trace/traces.h"

namespace sme {

/// The command line of a simulator, as sme/options.h declares it.
struct Options : RunOptions {
    Options() { scheduling.bind = Bind::Auto; }  // a program's threads are its own

    std::optional<std::uint64_t> cycles;
    unsigned ranks = 0;  ///< that are threads of this process; 0: not given
    bool ranksByMpi = false;
    double timeout = 0;  ///< seconds; 0: none

    bool reportText = false;
    bool reportJson = false;
    unsigned reportFactored = 0;  ///< runs of each kind; 0: no such report
    unsigned reportRanks = 0;     ///< of how many one is measured instead of a run; 0: none
    std::string scheduleTrace;
    std::optional<ScheduleRange> scheduleWindow;

    std::string input;
    std::string expect;
    std::vector<std::string> traces;
    TraceSelection selection;
    std::vector<std::string> memories;  ///< PATH=FILE

    CheckpointPlan checkpoint;
    std::string resume;
    bool resumesEdited = false;  ///< from a state of another version of the design

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

/// The one of `names` that looks most like `word`; empty: none does.
std::string nearestOption(const std::string& word, const std::vector<std::string>& names);

/// The text of --help.
std::string helpText(const char* program);

}  // namespace sme
