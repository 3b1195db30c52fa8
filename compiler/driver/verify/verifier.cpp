#include "driver/verify/verifier.h"

#include <algorithm>
#include <future>
#include <mutex>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>

#include "driver/compile/build.h"
#include "driver/compile/cache.h"
#include "driver/compile/compile.h"
#include "driver/compile/run_options.h"
#include "driver/hardware/hardware.h"
#include "driver/hardware/hardware_files.h"
#include "driver/hardware/hardware_names.h"
#include "driver/system/ended.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "driver/system/scratch_folder.h"
#include "driver/system/task_pool.h"
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
        if (result.overMemory)
            return rejectSimulators(Outcome::Failed, memoryMessage("the C++ compiler"));
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
            exported.design = buildHardware(exported.front, hardwareOf(isVhdl), options_.verilog);
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
        writeHardware(folder,
                      hardwareFiles(*exported.design, exported.front.sources, recording, hardware));
    }

    void startBench(TaskPool& pool, const BenchTool& tool, const fs::path& folder,
                    std::size_t fields, std::size_t row) {
        for (const std::string& program : tool.programs)
            if (findProgram(program).empty())
                return reject(row, Outcome::NotFound,
                              fmt::format("on Debian: apt-get install {}", tool.package));
        pool.add([this, tool, folder, fields, row] {
            VerifyRow& ours = result_.rows[row];
            ours.fields = fields;
            engines_.runBench(tool, folder, ours);
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

}  // namespace

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

}  // namespace smec::driver
