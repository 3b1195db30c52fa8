#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/checkpoints.h"
#include "cli/options.h"
#include "cli/rank_checkpoints.h"
#include "cli/rank_seat.h"
#include "cli/signals.h"
#include "cli/watchdog.h"
#include "lab/factored.h"
#include "run/run.h"
#include "values/names.h"

namespace sme {

/// A simulator's command line around a Run: files, signals and the clock in; results, reports and
/// an exit status out.
class Cli final {
public:
    /// `seat`: its place among several ranks; null: there is one.
    Cli(const Model& model, Options options, std::string program, TextSink& out, TextSink& err,
        RankSeat* seat = nullptr);

    /// Returns the exit status.
    int run();

private:
    // Before the run. All throw Error.
    bool prepare();
    void checkEnd() const;
    void checkFiles() const;
    void checkReports() const;
    void checkCheckpoints() const;
    void resolvePrints();
    bool openRows();
    void makeRun();
    CheckpointFile resume();
    CheckpointFile restore();
    void goOnEdited(std::span<const std::byte> state);
    void openTraces(const CheckpointFile& resumed);
    std::string whatResumes() const;
    void claimCheckpoint();
    std::uint64_t lastCycle() const;

    // The run and its end.
    void startWatchdog();
    void simulate();
    bool keepsState() const;
    bool keepState();
    std::string lineOf(const std::string& path, const Ref& ref);
    void printResults();
    Summary summary() const;
    void writeReports();
    FileProblem writeScheduleTrace() const;
    int finish();
    int statusOfRun();
    int statusOfCutOff();

    // On several ranks.
    int runAsRank();
    std::optional<int> startTogether();
    int judge(const std::vector<std::vector<std::byte>>& reports);
    std::optional<int> follow(std::span<const std::byte> orders);
    void watchOnRanks(std::span<const Ref> refs);
    void watchOnRanks(const Rows& expected);
    void addRanks(Summary& summary) const;
    bool keepTogether();
    void gatherResults();
    void collectShown();
    std::uint64_t sumOfState() const;
    RankReport ownReport() const;
    std::string rankTable() const;
    bool isFirst() const { return !seat_ || seat_->isFirst(); }

    int complain(const Error& error);
    void say(const std::string& message);

    const Model& model_;
    const Options options_;
    const std::string program_;
    TextSink& out_;
    TextSink& err_;
    RankSeat* const seat_;
    std::optional<SignalScope> signals_;
    std::atomic<std::uint32_t>& request_ = SignalScope::request();
    std::unique_ptr<NameTable> names_;
    std::vector<Ref> prints_;
    std::unique_ptr<Run> run_;
    std::unique_ptr<Watchdog> watchdog_;
    std::uint32_t ended_ = 0;  ///< CycleFlag bits of the last cycle
    std::optional<Factored> factored_;
    std::optional<Checkpoints> checkpoints_;
    std::optional<RankCheckpoints> rankCheckpoints_;  ///< where there are several ranks
    FileProblem checkpointProblem_;
    std::uint64_t resumedAt_ = 0;
    std::optional<std::uint64_t> agreedLast_;  ///< lastCycle() of rank 0
    std::vector<Crossing> watched_;            ///< what rank 0 looks at in each cycle
    std::uint64_t sum_ = 0;                    ///< of the state, on rank 0 of several
    std::vector<RankReport> rankReports_;      ///< by rank, on rank 0
};

/// A whole simulator with its arguments, without a process around it: everything of run() but the
/// exceptions, which mean lack of memory or threads. `program` is what messages start with.
int runCommand(const Model& model, const std::string& program,
               const std::vector<std::string>& arguments, TextSink& out, TextSink& err);

}  // namespace sme
