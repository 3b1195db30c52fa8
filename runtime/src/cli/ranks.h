#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/mpi_library.h"
#include "cli/options.h"
#include "formats/text_sink.h"
#include "sme/model.h"

namespace sme {

/// Throws Error (Usage) where options or the design do not go with several ranks.
void checkRanks(const Model& model, const Options& options);

/// A simulator's command line on `options.ranks` ranks, which are threads of this process. Returns
/// the exit status.
int runRanksInProcess(const Model& model, const Options& options, const std::string& program,
                      TextSink& out, TextSink& err);

/// What one of `options.reportRanks` ranks does in a cycle, measured without the others. Returns the
/// exit status; throws Error.
int reportRank(const Model& model, const Options& options, TextSink& out);

/// How a simulator was called.
struct CommandLine {
    std::string program;
    std::vector<std::string> arguments;
    std::string problem;  ///< of the arguments; empty: none
    /// What is done instead of a run, by one process (--help); returns the status. Empty: a run.
    std::function<int()> tells{};
};

/// The same on a rank of MPI, which `launcher` may have started. Where there is a problem, nothing
/// runs: rank 0 tells the first one of all ranks. Throws what ranks cannot tell each other.
int runRankOfMpi(const Model& model, const Options& options, const CommandLine& line,
                 const Launcher& launcher, TextSink& out, TextSink& err);

/// What ranks other than the first one say.
class NoSink final : public TextSink {
public:
    void write(std::string_view) override {}
    void flush() override {}
};

}  // namespace sme
