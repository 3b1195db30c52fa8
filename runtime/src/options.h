#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan.h"
#include "trace_csv.h"
#include "wait.h"

namespace sme {

/// The command line of a simulator, as in CLI.md.
struct Options {
    std::optional<std::uint64_t> cycles;
    std::uint64_t seed = 0;
    double timeout = 0;  ///< seconds; 0: none
    std::uint64_t loopLimit = 1'000'000'000;

    unsigned threads = 0;  ///< 0: auto
    ModelKind model = ModelKind::Static;
    ChunkScheme chunk = ChunkScheme::Guided;
    Orchestrate orchestrate = Orchestrate::Even;
    WaitMode wait = WaitMode::Adaptive;
    bool oversubscribe = false;  ///< start all --threads, also beyond the processors

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

/// How the scheduling options are written, for the summary.
const char* nameOf(ChunkScheme chunk);
const char* nameOf(Orchestrate how);

}  // namespace sme
