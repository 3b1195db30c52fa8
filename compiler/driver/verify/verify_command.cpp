#include "driver/verify/verify_command.h"

#include <algorithm>
#include <array>
#include <future>
#include <mutex>
#include <string_view>
#include <thread>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/compile/build.h"
#include "driver/compile/cache.h"
#include "driver/compile/compile.h"
#include "driver/compile/compile_arguments.h"
#include "driver/compile/plan_lists.h"
#include "driver/compile/run_options.h"
#include "driver/hardware/hardware.h"
#include "driver/hardware/hardware_files.h"
#include "driver/hardware/hardware_names.h"
#include "driver/system/ended.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "driver/system/scratch_folder.h"
#include "driver/system/task_pool.h"
#include "driver/verify/formal_command.h"
#include "driver/verify/options.h"
#include "driver/verify/verify_engines.h"

// The interpreter and the C++ compiler start at once. What the interpreter recorded makes the test
// benches, which run while the compiler still does; the simulators follow. Engines are processes:
// the tasks here only wait for them.

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// The design in one language, or why it is none.
struct ExportedDesign {
    std::optional<hdl::Design> design;
    FrontEnd front;
    std::string reason;
    explicit ExportedDesign(const CompileOptions& options) : front(options.warnings) {}
};

class Verifier {
public:
    explicit Verifier(const VerifyRequest& request)
        : request_(request),
          options_(request.compile),
          scratch_("smec-verify"),
          engines_(request, scratch_.path(), interrupts_) {
        result_.file = options_.files[0];
        result_.reference.engine = "interpreter";
        addRows();
    }

    /// Throws Ended.
    const VerifyResult& run() {
        checkSource();
        std::promise<void> promise;
        interpreted_ = promise.get_future().share();
        TaskPool pool(
            std::max(1u, options_.jobs != 0 ? options_.jobs : std::thread::hardware_concurrency()));
        pool.add([&] { interpret(promise); });
        if (!simulators_.empty()) pool.add([&] { compileAndRun(pool); });
        interpreted_.get();
        if (isGoing()) {
            runBenches(pool, false);
            runBenches(pool, true);
        }
        pool.wait();
        if (interrupts_.signal() != 0) throw Interrupted{interrupts_.signal()};
        if (!problem_.empty()) {
            fmt::print(stderr, "{}", problem_);
            throw Ended{problemStatus_};
        }
        return result_;
    }

    void keep(const fs::path& folder) const { scratch_.copyTo(folder, inputs_); }

private:
    struct Simulator {
        std::string model;
        unsigned threads;
        std::size_t row;
    };
    struct Bench {
        std::string tool;
        std::size_t row;
        bool isVhdl;
    };

    bool isWanted(const std::string& engine) const {
        const std::vector<std::string>& wanted = request_.verify.tools;
        return wanted.empty() || std::find(wanted.begin(), wanted.end(), engine) != wanted.end();
    }

    std::size_t addRow(const std::string& engine, const std::string& plan) {
        VerifyRow row;
        row.engine = engine;
        row.plan = plan;
        result_.rows.push_back(std::move(row));
        return result_.rows.size() - 1;
    }

    void addRows() {
        std::vector<unsigned> threads = request_.verify.threads;
        if (threads.empty()) threads = {1, 2, 4};
        if (isWanted("cpp"))
            for (const std::string& model : request_.verify.models)
                for (const unsigned number : threads)
                    simulators_.push_back(
                        {model, number,
                         addRow("C++", fmt::format("{}, {} thread{}", model, number,
                                                   number == 1 ? "" : "s"))});
        for (const BenchTool& tool : benchTools("", {}, {}))
            if (isWanted(tool.name))
                benches_.push_back(
                    {tool.name, addRow(tool.title, tool.isVhdl ? "VHDL" : "Verilog"), tool.isVhdl});
    }

    /// Errors of the source end it before anything runs.
    void checkSource() {
        Stats stats;
        FrontEnd front(options_.warnings);
        runFrontEnd(front, options_.files[0], options_, false, stats);
        printDiagnostics(front, options_);
        if (!front.design) throw Ended{exit_status::kSource};
        inputs_ =
            filesRead(makeStamp(front.program, front.sources, *front.design, options_), options_);
        inputs_.add(request_.hardware.input);
        addRunInputs(request_.runArguments, inputs_);
    }

    void say(const VerifyRow& row) {
        if (isatty(2) == 0 || options_.quiet || interrupts_.signal() != 0) return;
        const std::scoped_lock lock(mutex_);
        fmt::print(stderr, "smec: {}{}{} has ended\n", row.engine, row.plan.empty() ? "" : ", ",
                   row.plan);
    }

    void giveUp(const std::string& message, int status) {
        const std::scoped_lock lock(mutex_);
        if (!problem_.empty()) return;
        problem_ = message;
        problemStatus_ = status;
    }

    /// Neither a signal nor a problem has come.
    bool isGoing() {
        const std::scoped_lock lock(mutex_);
        return problem_.empty() && interrupts_.signal() == 0;
    }

    void interpret(std::promise<void>& promise) {
        try {
            std::string messages;
            reference_ = engines_.interpret(result_.reference, messages);
            result_.referenceStatus = reference_.status;
            result_.failure = reference_.errors.substr(0, reference_.errors.find('\n'));
            const int status = reference_.status;
            if (!messages.empty())
                giveUp(messages, status == 0 || status >= 128 ? exit_status::kLimit : status);
            say(result_.reference);
        } catch (...) {
            promise.set_exception(std::current_exception());
            return;
        }
        promise.set_value();
    }

    void compileAndRun(TaskPool& pool) {
        if (const std::string missing = findToolchain(options_).error; !missing.empty())
            return rejectSimulators(Outcome::NotFound, missing);
        const ProcessResult result = engines_.compile();
        interpreted_.wait();
        if (!isGoing()) return;
        if (result.timedOut)
            return rejectSimulators(
                Outcome::Failed,
                fmt::format("no end of the C++ compiler after {} s", request_.verify.seconds));
        if (result.status == exit_status::kSource || result.status == exit_status::kInternal)
            return giveUp(result.output, result.status);
        if (result.status != 0)
            return rejectSimulators(Outcome::Failed, firstComplaint(result.output));
        for (const Simulator& simulator : simulators_)
            pool.add([&] {
                VerifyRow& row = result_.rows[simulator.row];
                engines_.simulate(simulator.model, simulator.threads, reference_, row);
                say(row);
            });
    }

    void rejectSimulators(Outcome outcome, const std::string& remark) {
        for (const Simulator& simulator : simulators_)
            reject(simulator.row, outcome, remark);
    }

    void reject(std::size_t row, Outcome outcome, const std::string& remark) {
        result_.rows[row].outcome = outcome;
        result_.rows[row].remark = remark;
    }

    /// The first error as "FILE:LINE: message".
    static std::string reasonOf(const FrontEnd& front) {
        for (const Diagnostic& found : front.diagnostics.all()) {
            if (found.severity != Severity::Error) continue;
            if (!found.range.valid()) return found.message;
            const FileId file = found.range.file;
            return fmt::format("{}:{}: {}", front.sources.path(file),
                               front.sources.lineNumber(file, found.range.begin), found.message);
        }
        return "there is no design";
    }

    HardwareOptions hardwareOf(bool isVhdl) const {
        HardwareOptions hardware = request_.hardware;
        hardware.isVerilog = !isVhdl;
        hardware.isVhdl = isVhdl;
        return hardware;
    }

    void exportDesign(ExportedDesign& exported, bool isVhdl) const {
        Stats stats;
        runFrontEnd(exported.front, options_.files[0], options_, false, stats, true);
        if (exported.front.design)
            exported.design = buildHardware(exported.front, hardwareOf(isVhdl));
        if (!exported.design) exported.reason = reasonOf(exported.front);
    }

    void runBenches(TaskPool& pool, bool isVhdl) {
        std::vector<const Bench*> ours;
        for (const Bench& bench : benches_)
            if (bench.isVhdl == isVhdl) ours.push_back(&bench);
        if (ours.empty()) return;
        ExportedDesign exported(options_);
        exportDesign(exported, isVhdl);
        std::optional<hdl::Recording> recording;
        if (exported.design)
            recording = recordingOf(*exported.design, readFile(reference_.trace).value_or(""),
                                    reference_.ending);
        if (!recording || recording->rows.empty()) {
            for (const Bench* bench : ours)
                reject(bench->row, recording ? Outcome::NoCycle : Outcome::NotHardware,
                       exported.reason);
            return;
        }
        const fs::path folder = scratch_.path() / (isVhdl ? "vhdl" : "verilog");
        writeBench(exported, *recording, isVhdl, folder);
        const std::size_t fields = static_cast<std::size_t>(
            std::count_if(recording->probes.begin(), recording->probes.end(),
                          [&](std::uint32_t i) { return !exported.design->probes[i].isInput; }));
        for (const BenchTool& tool :
             benchTools(exported.design->bench, verilogFiles(*exported.design, hardwareOf(isVhdl)),
                        vhdlFiles(*exported.design)))
            for (const Bench* bench : ours)
                if (bench->tool == tool.name) startBench(pool, tool, folder, fields, bench->row);
    }

    void writeBench(const ExportedDesign& exported, const hdl::Recording& recording, bool isVhdl,
                    const fs::path& folder) const {
        const HardwareOptions hardware = hardwareOf(isVhdl);
        makeDirectories(folder);
        for (const auto& [name, text] :
             hardwareFiles(*exported.design, exported.front.sources, recording, hardware))
            writeIfChanged(folder / name, text);
    }

    void startBench(TaskPool& pool, const BenchTool& tool, const fs::path& folder,
                    std::size_t fields, std::size_t row) {
        for (const std::string& program : tool.programs)
            if (findProgram(program).empty())
                return reject(row, Outcome::NotFound,
                              fmt::format("on Debian: apt-get install {}", tool.package));
        pool.add([this, tool, folder, fields, row] {
            VerifyRow& ours = result_.rows[row];
            engines_.runBench(tool, folder, ours);
            if (ours.outcome != Outcome::Failed) ours.fields = fields;
            say(ours);
        });
    }

    const VerifyRequest& request_;
    const CompileOptions& options_;
    const InterruptScope interrupts_;
    const ScratchFolder scratch_;
    const Engines engines_;
    InputFiles inputs_;
    VerifyResult result_;
    std::vector<Simulator> simulators_;
    std::vector<Bench> benches_;
    ReferenceRun reference_;
    std::shared_future<void> interpreted_;
    std::mutex mutex_;
    std::string problem_;  ///< why there is nothing to compare
    int problemStatus_ = 0;
};

int compareAll(const VerifyRequest& request) {
    try {
        Verifier verifier(request);
        const VerifyResult& result = verifier.run();
        fmt::print("{}", request.verify.json ? verifyJson(result) : verifyTable(result));
        std::fflush(stdout);  // before messages about the files
        if (!request.compile.output.empty()) verifier.keep(request.compile.output);
        return verifyStatus(result);
    } catch (const Ended& ended) {
        return ended.status;
    }
}

constexpr std::array<std::string_view, 5> kOwnVerifyOptions{"--threads", "--cycles", "--input",
                                                            "--timeout", "--report"};

// Results and reports: what is compared is chosen already.
constexpr std::array<std::string_view, 25> kNotPassedOnByVerify{
    "--cycles",         "--timeout",        "--threads",        "--model",
    "--input",          "--expect",         "--trace",          "--trace-filter",
    "--trace-all",      "--trace-start",    "--trace-stop",     "--report",
    "--checksum",       "--print",          "--list",           "--progress",
    "--quiet",          "--oversubscribe",  "--schedule-trace", "--schedule-window",
    "--trace-elements", "--no-trace-clock", "--clock-period",   "--checkpoint",
    "--resume"};

constexpr std::uint64_t kFormalCycles = 20;

class VerifyCommand final : public Command {
public:
    const char* name() const override { return "verify"; }
    const char* help() const override {
        return "compare all simulators of a design with the interpreter, or prove it equal to "
               "another; options of the simulator may follow";
    }
    RunArguments* runArguments() override { return &passedOn_; }

    void declare(CLI::App& app) override {
        arguments_.declare(app);
        removeStages(app);
        app.get_option("-o")->description("folder for all that is made (default: none is kept)");
        app.get_option("-j")->description("engines and C++ compilations at once");
        app.add_option("--cycles", request_.hardware.cycles,
                       "cycles to compare (default: until the design stops or --input ends, at "
                       "most 10,000); "
                       "with --formal those behind the reset that are searched (default: 20)")
            ->type_name("N")
            ->check(CLI::PositiveNumber)
            ->group("Comparison");
        app.add_option("--input", request_.hardware.input,
                       "drive the exposed inputs from a CSV file")
            ->type_name("FILE")
            ->group("Comparison");
        app.add_option("--engines", tools_,
                       "what to compare with the interpreter (default: cpp,icarus,verilator,ghdl)")
            ->type_name("LIST")
            ->group("Comparison");
        app.add_option("--models", models_, "models of the C++ simulator (default: m1,m2,m3)")
            ->type_name("LIST")
            ->group("Comparison");
        app.add_option("--threads", threads_, "numbers of threads (default: 1,2,4)")
            ->type_name("LIST")
            ->group("Comparison");
        app.add_option("--timeout", request_.verify.seconds,
                       "end an engine after this time (default: 600)")
            ->type_name("SECONDS")
            ->check(CLI::Range(1U, 1'000'000U))
            ->group("Comparison");
        app.add_option_function<std::string>(
               "--report",
               [this](const std::string& form) { request_.verify.json = form == "json"; },
               "form of the result: text or json")
            ->type_name("FORM")
            ->check(CLI::IsMember({"text", "json"}))
            ->group("Comparison");
        app.add_option(
               "--formal", request_.verify.formal,
               "prove equal to another revision (.sme) or to a Verilog module (.v, .sv) by Yosys")
            ->type_name("FILE")
            ->group("Proof");
        app.add_option("--process", request_.verify.process,
                       "the process to prove (default: the whole design)")
            ->type_name("NAME")
            ->group("Proof");
        app.add_option("--reference-module", request_.verify.referenceModule,
                       "the module of FILE (default: the only one, or that of the same name)")
            ->type_name("NAME")
            ->group("Proof");
        declareHardware(app, request_.hardware);
    }

    std::string finish(const CLI::App& app) override {
        if (std::string problem = arguments_.finish(); !problem.empty()) return problem;
        const std::string refused = passedOn_.refused();
        if (refused == "--model") return "smec verify takes --models with a list, not --model";
        if (!refused.empty()) return fmt::format("smec verify does not take {}", refused);
        VerifyOptions& o = request_.verify;
        for (std::string problem :
             {problemOfStream(arguments_.options), parseThreadList(threads_, o.threads),
              parseModelList(models_, o.models), parseEngineList(tools_, o.tools),
              finishFormal(app)})
            if (!problem.empty()) return problem;
        request_.compile = arguments_.options;
        request_.runArguments = passedOn_.words;
        return {};
    }

    int execute() override {
        return request_.verify.formal.empty() ? compareAll(request_) : verifyFormal(request_);
    }

private:
    std::string finishFormal(const CLI::App& app) {
        if (request_.verify.formal.empty()) {
            for (const char* name : {"--process", "--reference-module"})
                if (app.count(name) != 0) return fmt::format("{} is for --formal", name);
            return {};
        }
        for (const char* name : {"--input", "--engines", "--models", "--threads"})
            if (app.count(name) != 0) return fmt::format("--formal does not take {}", name);
        if (!passedOn_.words.empty())
            return fmt::format("--formal does not take {}", passedOn_.words[0]);
        if (app.count("--cycles") == 0) request_.hardware.cycles = kFormalCycles;
        return {};
    }

    CompileArguments arguments_;
    VerifyRequest request_;
    RunArguments passedOn_{.own = kOwnVerifyOptions, .without = kNotPassedOnByVerify};
    std::string threads_;
    std::string models_ = "m1,m2,m3";
    std::string tools_;
};

}  // namespace

std::unique_ptr<Command> makeVerifyCommand() { return std::make_unique<VerifyCommand>(); }

}  // namespace smec::driver
