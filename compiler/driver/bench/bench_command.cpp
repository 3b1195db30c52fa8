#include "driver/bench/bench_command.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/bench/bench.h"
#include "driver/bench/bench_picture.h"
#include "driver/bench/options.h"
#include "driver/bench/rank_bencher.h"
#include "driver/bench/target.h"
#include "driver/compile/compile.h"
#include "driver/compile/compile_arguments.h"
#include "driver/compile/plan_lists.h"
#include "driver/compile/run_options.h"
#include "driver/system/ended.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "driver/system/process.h"

// The simulator measures (runtime/src/report/factored.h); here it is run once for each model and number
// of threads, one after the other. How many cycles to run is found by trying: 1, 16, 256, ...

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

// A report has 2 KB, and 80 bytes for each `cover` of an instance; what the design prints in front
// of it is of no interest.
constexpr std::size_t kMostSimulatorOutput = std::size_t{64} << 20;
constexpr std::size_t kMostPicture = std::size_t{64} << 20;

/// Throws Ended.
class Bencher {
public:
    Bencher(const BenchOptions& options, const CompileOptions& compile,
            const std::vector<std::string>& passedOn, fs::path simulator)
        : options_(options),
          compile_(compile),
          passedOn_(passedOn),
          simulator_(std::move(simulator)) {}

    BenchResult run() {
        BenchResult result;
        result.file = fs::path(compile_.files[0]).filename().string();
        result.repeats = options_.repeats;
        result.options = passedOn_;
        // Where the simulator refuses to be measured it says so here, at once.
        const SimulatorReport first =
            simulate({"--report", "json,factored:1", "--threads", "1", "--cycles", "1"});
        result.design = first.design;
        result.processors = first.processors;
        const std::vector<unsigned> threads =
            options_.threads.empty() ? defaultThreads(first.processors) : options_.threads;
        const std::vector<std::string> cycles = cyclesFrom(first, threads);
        for (const std::string& model : options_.models) {
            for (const unsigned number : threads)
                result.rows.push_back(measure(model, number, cycles));
        }
        return result;
    }

    /// Writes the picture through gnuplot.
    void draw(const BenchResult& result, const fs::path& folder, const InputFiles& inputs) {
        const std::string gnuplot = findProgram("gnuplot");
        if (gnuplot.empty())
            fail("--picture needs gnuplot; install it (on Debian: apt-get install gnuplot-nox)");
        const fs::path script = fs::absolute(folder / "bench.gp");  // no option
        writeIfChanged(script, pictureScript(result));
        const ProcessResult drawn = start({gnuplot, "-d", script.string()}, kMostPicture);
        if (!drawn.started || drawn.status != 0 || drawn.output.empty()) {
            fmt::print(stderr, "{}", drawn.errors);
            fail(fmt::format("gnuplot cannot draw '{}'", script.string()));
        }
        writeIfChanged(options_.picture, drawn.output, inputs);
    }

private:
    [[noreturn]] static void fail(const std::string& message) {
        fmt::print(stderr, "smec: error: {}\n", message);
        throw Ended{exit_status::kEnvironment};
    }

    ProcessResult start(const std::vector<std::string>& command, std::size_t mostOutput) {
        if (compile_.verbose) fmt::print(stderr, "{}\n", fmt::join(command, " "));
        ProcessResult result = runProcessApart(command, mostOutput);
        if (interrupts_.signal() != 0) throw Interrupted{interrupts_.signal()};
        endAtMemoryLimit(result, fmt::format("'{}'", command[0]));
        return result;
    }

    /// One run of the simulator with the options of the user and then these.
    SimulatorReport simulate(const std::vector<std::string>& arguments) {
        std::vector<std::string> command{simulator_.string()};
        command.insert(command.end(), passedOn_.begin(), passedOn_.end());
        command.insert(command.end(), arguments.begin(), arguments.end());
        command.emplace_back("--quiet");
        const ProcessResult result = start(command, kMostSimulatorOutput);
        if (!result.started) fail(fmt::format("cannot start '{}'", simulator_.string()));
        const std::optional<SimulatorReport> report = readReport(result.output);
        // stop(n) makes a status, too, but no error
        const bool failed =
            result.status != 0 && result.errors.find("error: ") != std::string::npos;
        if (report && !failed && result.signal == 0) return *report;
        fmt::print(stderr, "{}", result.errors);
        if (result.signal != 0) fail(fmt::format("signal {} ended the simulator", result.signal));
        if (!failed) {
            fmt::print(stderr, "smec: internal error: the simulator printed no report; please "
                               "report it\n");
            throw Ended{exit_status::kInternal};
        }
        throw Ended{result.status};
    }

    /// The option that says how long to run; none: to the end of the inputs.
    std::vector<std::string> cyclesFrom(const SimulatorReport& first,
                                        const std::vector<unsigned>& threads) {
        if (options_.cycles) return {"--cycles", fmt::format("{}", *options_.cycles)};
        const auto hasRows = [](const std::string& word) {
            const std::string name = word.substr(0, word.find('='));
            return name == "--input" || name == "--expect";
        };
        if (std::any_of(passedOn_.begin(), passedOn_.end(), hasRows)) return {};
        CycleChoice choice{1, false};
        for (double seconds = first.seconds; !choice.isFinal;) {
            choice = nextCycles(choice.cycles, seconds);
            if (choice.isFinal) break;
            const SimulatorReport report = tryOut(1, "m2", choice.cycles);
            if (report.cycles < choice.cycles)  // the design ends by itself
                return {"--cycles", fmt::format("{}", choice.cycles)};
            seconds = report.seconds;
        }
        return {"--cycles", fmt::format("{}", bounded(choice.cycles, threads))};
    }

    SimulatorReport tryOut(unsigned threads, const std::string& model, std::uint64_t cycles) {
        return simulate({"--report", "json", "--threads", fmt::format("{}", threads), "--model",
                         model, "--cycles", fmt::format("{}", cycles)});
    }

    /// Fewer cycles where threads take much longer than one alone, as they do when a cycle is
    /// short.
    std::uint64_t bounded(std::uint64_t cycles, const std::vector<unsigned>& threads) {
        for (const std::string& model : options_.models) {
            for (const unsigned number : threads) {
                if (number == 1) continue;
                const std::uint64_t some = std::max<std::uint64_t>(1, cycles / target::kTrialShare);
                cycles = boundedCycles(cycles, some, tryOut(number, model, some).seconds);
            }
        }
        return cycles;
    }

    BenchRow measure(const std::string& model, unsigned threads,
                     const std::vector<std::string>& cycles) {
        if (isatty(2) != 0 && !compile_.quiet)
            fmt::print(stderr, "smec: measuring {} on {} thread{}\n", model, threads,
                       threads == 1 ? "" : "s");
        std::vector<std::string> arguments{
            "--report",  fmt::format("json,factored:{}", options_.repeats),
            "--threads", fmt::format("{}", threads),
            "--model",   model};
        arguments.insert(arguments.end(), cycles.begin(), cycles.end());
        SimulatorReport report = simulate(arguments);
        if (!report.row || report.row->cycles == 0) {
            fmt::print(stderr, "smec: error: there is nothing to measure in 0 cycles\n");
            throw Ended{exit_status::kUsage};
        }
        report.row->model = model;
        report.row->threads = threads;
        return *report.row;
    }

    const BenchOptions& options_;
    const CompileOptions& compile_;
    const std::vector<std::string>& passedOn_;
    const fs::path simulator_;
    const InterruptScope interrupts_;
};

constexpr std::array<std::string_view, 2> kOwnBenchOptions{"--threads", "--cycles"};

class BenchCommand final : public Command {
public:
    const char* name() const override { return "bench"; }
    const char* help() const override {
        return "measure speedups and tell why they are not larger; options of the simulator may "
               "follow";
    }
    RunArguments* runArguments() override { return &passedOn_; }

    void declare(CLI::App& app) override {
        arguments_.declare(app);
        removeStages(app);
        app.add_option("--threads", threads_,
                       "numbers of threads to measure (default: 1,2,4,... up to the processors)")
            ->type_name("LIST")
            ->group("Measurement");
        app.add_option("--models", models_, "models to measure (default: m1,m2,m3)")
            ->type_name("LIST")
            ->group("Measurement");
        app.add_option("--repeat", options_.repeats, "runs of each kind (default: 5)")
            ->type_name("N")
            ->check(CLI::Range(1U, 1000U))
            ->group("Measurement");
        app.add_option("--cycles", options_.cycles,
                       "cycles of a run (default: the end of --input, or about 0.3 seconds' worth)")
            ->type_name("N")
            ->check(CLI::PositiveNumber)
            ->group("Measurement");
        app.add_option("--model-ranks", ranks_,
                       "predict what a cycle takes on so many ranks, through memory and networks")
            ->type_name("LIST")
            ->group("Measurement");
        app.add_option("--network", arguments_.options.top, "the same as --top")
            ->type_name("NAME")
            ->group("Measurement");
        app.add_option(
               "--weak", options_.weak,
               "with --model-ranks: the constant NAME, which -G gives for one rank, grows "
               "so that the design grows with the ranks, in so many dimensions (default: 1)")
            ->type_name("NAME[:DIMENSIONS]")
            ->group("Measurement");
        app.add_option("--json", options_.json, "write all that was measured")
            ->type_name("FILE")
            ->group("Measurement");
        app.add_option("--picture", options_.picture, "draw the speedups (.svg); needs gnuplot")
            ->type_name("FILE")
            ->group("Measurement");
    }

    CompileArguments* compileArguments() override { return &arguments_; }
    std::string finish(const CLI::App&) override {
        if (std::string problem = arguments_.finish(); !problem.empty()) return problem;
        const std::string refused = passedOn_.refused();
        if (refused == "--model") return "smec bench takes --models with a list, not --model";
        if (!refused.empty()) return passedOn_.problemOfRefused(name());
        if (const std::string stream = passedOn_.stream(); !stream.empty())
            return fmt::format("smec bench runs the design several times; give a file, not '{}'",
                               stream);
        if (std::string problem = parseThreadList(threads_, options_.threads); !problem.empty())
            return problem;
        if (std::string problem = finishRanks(); !problem.empty()) return problem;
        if (!options_.picture.empty() && !options_.picture.ends_with(".svg"))
            return fmt::format("--picture takes a file name that ends in .svg, not '{}'",
                               options_.picture);
        if (!options_.picture.empty() && options_.repeats < 2)
            return "--picture shows how far runs lie apart, and --repeat 1 is one run of each; "
                   "give at least --repeat 2";
        return parseModelList(models_, options_.models);
    }

    int execute() override {
        const CompileOptions& options = arguments_.options;
        if (!hasProgramForPicture()) return exit_status::kEnvironment;
        Compiled compiled = compile(options, findInstallation(), options.output);
        if (compiled.status != exit_status::kGood) return compiled.status;
        if (!options.emit.empty() || !options.build) return exit_status::kGood;
        addRunInputs(passedOn_.words, compiled.inputs);
        OutputFiles outputs(compiled.inputs);
        if (!options_.json.empty()) outputs.add("--json", options_.json);
        if (!options_.picture.empty()) outputs.add("--picture", options_.picture);
        try {
            if (!options_.modelRanks.empty()) return predict(compiled);
            Bencher bencher(options_, options, passedOn_.words, fs::absolute(compiled.built));
            const BenchResult result = bencher.run();
            fmt::print("{}", benchTable(result));
            std::fflush(stdout);  // before messages about the files
            if (!options_.json.empty())
                writeIfChanged(options_.json, benchJson(result), compiled.inputs);
            if (!options_.picture.empty()) {
                markFolder(buildFolder(options));
                bencher.draw(result, buildFolder(options), compiled.inputs);
            }
        } catch (const Ended& ended) {
            return ended.status;
        }
        return exit_status::kGood;
    }

private:
    /// Before anything is measured.
    bool hasProgramForPicture() const {
        if (options_.picture.empty() || !findProgram("gnuplot").empty()) return true;
        fmt::print(stderr, "smec: error: --picture needs gnuplot; install it (on Debian: apt-get "
                           "install gnuplot-nox)\n");
        return false;
    }

    std::string finishRanks() {
        if (ranks_.empty()) return options_.weak.empty() ? "" : "--weak needs --model-ranks LIST";
        if (!options_.picture.empty()) return "--picture does not go with --model-ranks";
        if (!threads_.empty() || options_.cycles)
            return "--threads and --cycles do not go with --model-ranks";
        if (!options_.weak.empty()) {
            std::vector<std::string> parameters = arguments_.options.parameters;
            if (std::string problem = growParameters(parameters, options_.weak, 1);
                !problem.empty())
                return problem;
        }
        return parseNumberList("--model-ranks", ranks_, sme::kMostRanks, options_.modelRanks);
    }

    int predict(const Compiled& compiled) {
        const RankPrediction prediction =
            benchRanks(options_, arguments_.options, passedOn_.words, compiled.built);
        fmt::print("{}", rankTable(prediction));
        std::fflush(stdout);  // before messages about the file
        if (!options_.json.empty())
            writeIfChanged(options_.json, rankJson(prediction), compiled.inputs);
        return exit_status::kGood;
    }

    CompileArguments arguments_;
    BenchOptions options_;
    RunArguments passedOn_{.taker = sme::TakenBy::Bench, .own = kOwnBenchOptions};
    std::string threads_;
    std::string ranks_;
    std::string models_ = "m1,m2,m3";
};

}  // namespace

std::unique_ptr<Command> makeBenchCommand() { return std::make_unique<BenchCommand>(); }

}  // namespace smec::driver
