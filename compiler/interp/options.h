#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/trace_selection.h"
#include "sme/option_words.h"

/// The options of a run: those of a simulator, as far as they do not ask for threads.
namespace smec::interp {

/// Ends the run before or beside the simulation: a file that does not fit the design (1), wrong usage
/// (2), a file that cannot be read or written (3).
struct RunError {
    int status;
    std::string message;
    bool hasPlace = false;  ///< the message begins with "path:line:"
};
inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;
inline constexpr int kFileSystem = 3;
inline constexpr int kLimit = 4;

struct Options {
    std::optional<std::uint64_t> cycles;
    // What `smec export` and `smec verify` ask for; not for users.
    std::optional<std::uint64_t> mostCycles;  ///< where nothing else says how many
    std::uint64_t mostValues = UINT64_MAX;    ///< of traces, but 100 cycles at least
    std::string ending;                       ///< file for how the run ended
    std::uint64_t seed = 0;
    std::optional<double> timeout;  ///< seconds
    std::uint64_t loopLimit = 1'000'000'000;
    std::string input;
    std::string expect;
    std::vector<std::string> traces;
    sme::TraceSelection selection;
    std::vector<std::string> memories;  ///< PATH=FILE
    sme::CheckpointPlan checkpoint;
    std::string resume;
    bool resumesEdited = false;  ///< from a state of another version of the design
    std::vector<std::string> prints;
    bool checksum = false;
    bool list = false;
    bool progress = false;
    bool quiet = false;
    bool help = false;
    bool version = false;
};

/// Throws RunError. Options that only choose a plan are read and ignored.
Options parseOptions(const std::vector<std::string>& arguments);

}  // namespace smec::interp
