#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driver/hardware/hardware_tools.h"
#include "driver/hardware/run_ending.h"
#include "driver/system/guarded_process.h"
#include "driver/verify/options.h"
#include "driver/verify/verify.h"

namespace smec::driver {

/// The run that all are compared with.
struct ReferenceRun {
    int status = 0;
    std::string errors;  ///< from its first error on
    RunEnding ending;
    std::filesystem::path trace;
    std::filesystem::path output;  ///< what the design prints
};

/// What each run needs to know. Its functions may be called by several threads at once.
class Engines {
public:
    Engines(const VerifyRequest& request, const std::filesystem::path& scratch,
            const InterruptScope& interrupts)
        : request_(request), scratch_(scratch), interrupts_(interrupts) {}

    /// Runs the interpreter. `messages`: all that it says, where it writes no trace.
    ReferenceRun interpret(VerifyRow& row, std::string& messages) const;

    /// Compiles to `simulator()`.
    ProcessResult compile() const;
    std::filesystem::path simulator() const { return scratch_ / "simulator"; }

    /// One run of that simulator, compared with the reference.
    void simulate(const std::string& model, unsigned threads, const ReferenceRun& reference,
                  VerifyRow& row) const;

    /// Runs the test bench in `folder`.
    void runBench(const BenchTool& tool, const std::filesystem::path& folder, VerifyRow& row) const;

private:
    ProcessResult run(const std::vector<std::string>& words, const std::filesystem::path& folder,
                      const std::filesystem::path& outputFile) const;
    /// Why it has no end of its own; empty: it has.
    std::string endOf(const ProcessResult& result) const;
    std::string disagreementUnseen(const std::vector<std::string>& words,
                                   const ReferenceRun& reference) const;
    std::string disagreement(const ProcessResult& result, const std::filesystem::path& output,
                             const ReferenceRun& reference) const;

    const VerifyRequest& request_;
    const std::filesystem::path& scratch_;
    const InterruptScope& interrupts_;
};

/// The first line that tells what went wrong.
std::string firstComplaint(const std::string& output);

}  // namespace smec::driver
