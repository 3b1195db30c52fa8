#include "driver/bench/rank_bencher.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <unistd.h>

#include <fmt/format.h>

#include "driver/bench/bench.h"
#include "driver/bench/target.h"
#include "driver/compile/compile.h"
#include "driver/system/ended.h"
#include "driver/system/exit_status.h"
#include "driver/system/process.h"
#include "sme/option_words.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostOutput = std::size_t{64} << 20;

class RankBencher {
public:
    RankBencher(const CompileOptions& compile, const std::vector<std::string>& passedOn,
                fs::path simulator)
        : compile_(compile), passedOn_(passedOn), simulator_(std::move(simulator)) {}

    RankRow measure(unsigned ranks) {
        if (isatty(2) != 0 && !compile_.quiet)
            fmt::print(stderr, "smec: measuring one of {} rank{}\n", ranks, ranks == 1 ? "" : "s");
        const std::string output = simulate({"--report", fmt::format("ranks:{}", ranks)});
        const std::optional<RankFigures> figures = readRankFigures(output);
        if (!figures) failInside();
        RankRow row{*figures, 0};
        if (ranks <= figures->processors) row.measured = runAll(*figures);
        return row;
    }

private:
    [[noreturn]] static void failInside() {
        fmt::print(stderr, "smec: internal error: the simulator printed no report; please report "
                           "it\n");
        throw Ended{exit_status::kInternal};
    }

    std::string simulate(const std::vector<std::string>& arguments) {
        std::vector<std::string> command{simulator_.string()};
        command.insert(command.end(), passedOn_.begin(), passedOn_.end());
        command.insert(command.end(), arguments.begin(), arguments.end());
        command.emplace_back("--quiet");
        if (compile_.verbose) fmt::print(stderr, "{}\n", fmt::join(command, " "));
        const ProcessResult result = runProcessApart(command, kMostOutput);
        if (interrupts_.signal() != 0) throw Interrupted{interrupts_.signal()};
        endAtMemoryLimit(result, "the simulator");
        if (result.started && result.status == 0) return result.output;
        fmt::print(stderr, "{}", result.errors);
        if (!result.started) fmt::print(stderr, "smec: error: cannot start the simulator\n");
        if (result.signal != 0)
            fmt::print(stderr, "smec: error: signal {} ended the simulator\n", result.signal);
        throw Ended{result.started && result.signal == 0 ? result.status
                                                         : exit_status::kEnvironment};
    }

    /// Seconds of a cycle on so many ranks of this machine: of some runs, the one in the middle.
    double runAll(const RankFigures& figures) {
        const double expected = std::max(figures.together, 1e-9);
        const auto cycles = static_cast<std::uint64_t>(
            std::max(1.0, std::round(target::kSecondsWanted / expected)));
        std::vector<double> seconds;
        for (unsigned i = 0; i < target::kRankRuns; ++i) {
            const std::string output =
                simulate({"--ranks", fmt::format("{}", figures.ranks), "--threads", "1", "--report",
                          "json", "--cycles", fmt::format("{}", cycles)});
            const std::optional<SimulatorReport> report = readReport(output);
            if (!report || report->cycles == 0) failInside();
            seconds.push_back(report->seconds / static_cast<double>(report->cycles));
        }
        std::sort(seconds.begin(), seconds.end());
        return seconds[seconds.size() / 2];
    }

    const CompileOptions& compile_;
    const std::vector<std::string>& passedOn_;
    const fs::path simulator_;
    const InterruptScope interrupts_;
};

}  // namespace

std::string growParameters(std::vector<std::string>& parameters, const std::string& weak,
                           unsigned ranks) {
    const sme::NamedParameter given(weak);
    const std::optional<std::uint64_t> dimensions =
        given.parameter ? sme::readNumber(*given.parameter) : 1;
    if (given.name.empty() || !dimensions || *dimensions == 0 || *dimensions > 3)
        return fmt::format("--weak takes the name of a constant, with :2 or :3 where the design "
                           "grows in so many dimensions, not '{}'",
                           weak);
    const std::string start = std::string(given.name) + "=";
    for (std::string& parameter : parameters) {
        if (!parameter.starts_with(start)) continue;
        const std::optional<std::uint64_t> value = sme::readNumber(parameter.substr(start.size()));
        if (!value) break;
        const double factor = std::pow(ranks, 1 / static_cast<double>(*dimensions));
        parameter =
            fmt::format("{}{:.0f}", start, std::round(static_cast<double>(*value) * factor));
        return {};
    }
    return fmt::format("--weak {} needs the number of one rank: -G {}N", weak, start);
}

RankPrediction benchRanks(const BenchOptions& options, const CompileOptions& compile,
                          const std::vector<std::string>& passedOn, const fs::path& built) {
    RankPrediction prediction;
    prediction.file = fs::path(compile.files[0]).filename().string();
    prediction.isWeak = !options.weak.empty();
    for (const unsigned ranks : options.modelRanks) {
        fs::path simulator = fs::absolute(built);
        if (prediction.isWeak) {
            CompileOptions own = compile;
            growParameters(own.parameters, options.weak, ranks);
            const Compiled compiled = driver::compile(own, findInstallation(), "");
            if (compiled.status != exit_status::kGood) throw Ended{compiled.status};
            simulator = fs::absolute(compiled.built);
        }
        prediction.rows.push_back(RankBencher(compile, passedOn, simulator).measure(ranks));
    }
    return prediction;
}

}  // namespace smec::driver
