#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/signals.h"
#include "cli/watchdog.h"
#include "engine/engine.h"
#include "output/output.h"
#include "report/factored.h"
#include "report/summary.h"
#include "report/window.h"
#include "schedule/machine.h"
#include "trace/expectation.h"
#include "trace/input.h"
#include "trace/rows.h"
#include "trace/traces.h"
#include "values/names.h"

namespace sme {

/// One run of a simulator from the command line: files in, cycles, results out.
class Session final : private Observer {
public:
    Session(const Model& model, Options options, const char* program, TextSink& out, TextSink& err);

    /// Returns the exit status.
    int run();

private:
    // Before the run. An exit status ends it.
    std::optional<int> prepare();
    std::optional<int> checkEnd();
    std::optional<int> checkFiles();
    std::optional<int> loadFiles();
    std::optional<int> checkLoopLimit();
    std::optional<int> resolvePrints();
    std::optional<int> openTrace();
    EngineConfig config() const;
    std::optional<int> makeEngine();
    std::uint64_t lastCycle() const;

    // Observer.
    std::uint32_t during(std::uint64_t cycle) override;
    std::uint32_t between(std::uint64_t cycle) override;
    std::uint32_t rows(std::uint64_t cycle);

    // Scheduling.
    std::optional<int> checkScheduling();
    Scheduling scheduling() const;
    std::optional<int> chooseApart(EngineConfig& config);
    std::optional<int> prepareTimes();
    std::optional<int> trial(std::uint64_t cycles);
    std::uint64_t windowStart(std::uint64_t until) const;
    std::uint32_t runTo(std::uint64_t until);
    std::uint32_t runCycles(std::uint64_t until);
    void measureSpeedup();
    FileProblem writeScheduleTrace() const;

    // The run and its end.
    void startWatchdog();
    void simulate();
    void printResults();
    std::string whyThreads() const;
    Summary summary() const;
    void writeReports();
    int finish();
    int statusOfRun();

    int wrongUsage(const std::string& message);
    int complain(const FileProblem& problem);
    void say(const std::string& message);

    const Model& model_;
    const Options options_;
    const std::string program_;
    TextSink& out_;
    TextSink& err_;
    const Machine machine_;
    SignalScope signals_;
    std::unique_ptr<NameTable> names_;
    Rows inputRows_;
    Rows expectRows_;
    std::vector<Ref> prints_;
    std::unique_ptr<Engine> engine_;
    std::unique_ptr<InputDriver> input_;
    std::unique_ptr<Expectation> expectation_;
    std::unique_ptr<Traces> trace_;
    std::unique_ptr<Watchdog> watchdog_;
    std::uint32_t ended_ = 0;  ///< CycleFlag bits of the last cycle
    double seconds_ = 0;
    std::string governed_;  ///< why --threads auto chose what it did
    std::string adapted_;   ///< what --adapt did
    std::optional<ScheduleWindow> window_;
    std::optional<Factored> factored_;
};

/// A whole simulator with its arguments, without a process around it: everything of run() but the
/// exceptions, which mean lack of memory or threads. `program` is what messages start with.
int runCommand(const Model& model, const std::string& program,
               const std::vector<std::string>& arguments, TextSink& out, TextSink& err);

}  // namespace sme
